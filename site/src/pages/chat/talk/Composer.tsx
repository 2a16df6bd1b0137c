import { useEffect, useId, useRef, type KeyboardEvent } from "react";
import type { LanguageModel } from "tilework/llm";
import { placeName } from "../../../engine/names";
import { formatNumber } from "../../../lib/format";
import { Button, IconButton } from "../../../ui/Button";
import { Icon } from "../../../ui/Icon";
import type { Speed } from "./conversation";
import { ratesOf, type Meter } from "./meter";
import { talk, type Writing } from "./talk";

interface ComposerProps {
  draft: string;
  setDraft: (draft: string) => void;
  send: () => void;
  writing: Writing | null;
  /** Of the answer under way, or of the last one. */
  speed: Speed | null;
  meter: Meter | null;
  model: LanguageModel;
  /** The end of the conversation is out of sight. */
  isAway: boolean;
  toEnd: () => void;
}

/** Enter, but neither with Shift nor while an input method is choosing characters. */
export function isSendKey(event: KeyboardEvent): boolean {
  return event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing && event.keyCode !== 229;
}

export function Composer({ draft, setDraft, send, writing, speed, meter, model, isAway, toEnd }: ComposerProps) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  return (
    <div className="composer">
      <div className={isAway ? "to-end" : "to-end to-end-there"}><IconButton icon="down" label="To the end of the conversation" onClick={toEnd} /></div>
      {meter !== null && meter.advice !== "" && <p className={`meter-advice meter-advice-${meter.tone}`} role="status"><Icon name="warning" size={16} /> {meter.advice}</p>}
      <div className="composer-box">
        <label className="visually-hidden" htmlFor={id}>Message</label>
        <textarea
          ref={field}
          id={id}
          className="growing"
          data-shortcut="/"
          placeholder="Write a message"
          value={draft}
          rows={Math.min(draft.split("\n").length, 8)}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={(event) => {
            if (!isSendKey(event)) return;
            event.preventDefault();
            send();
          }}
        />
        {writing === null ? (
          <Button look="primary" icon="send" busy={draft.trim() === ""} onClick={send}>Send</Button>
        ) : (
          <Button icon="stop" onClick={() => talk().stop()} title="Stop (Escape)">Stop</Button>
        )}
      </div>
      <div className="composer-foot small">
        <span className="composer-device" title={model.summary.name}>{placeName(model.device)}</span>
        {speed !== null && <SpeedView speed={speed} />}
        {meter !== null && <MeterView meter={meter} />}
      </div>
    </div>
  );
}

function SpeedView({ speed }: { speed: Speed }) {
  const { writing } = ratesOf(speed);
  return writing === null ? null : <span className="numeric">{formatNumber(writing)} tokens/s</span>;
}

function MeterView({ meter }: { meter: Meter }) {
  return (
    <span className="meter">
      <span className={`meter-bar meter-${meter.tone}`} role="meter" aria-label="Context in use" aria-valuemin={0} aria-valuemax={100} aria-valuenow={Math.round(meter.share * 100)} aria-valuetext={meter.text}>
        <i style={{ transform: `scaleX(${meter.share})` }} />
      </span>
      <span className="numeric">{meter.text}</span>
    </span>
  );
}
