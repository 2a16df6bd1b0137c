import { useId, useState } from "react";
import { Field } from "../../../ui/Choice";
import { sentence } from "../../../lib/format";
import { parseNumbers } from "./numbers";

interface NumbersFieldProps {
  label: string;
  value: readonly number[];
  max: number;
  onChange: (numbers: number[]) => void;
}

/** A list of numbers as text; while it is none, the last good one stays in use. */
export function NumbersField({ label, value, max, onChange }: NumbersFieldProps) {
  const id = useId();
  const [text, setText] = useState(value.join(", "));
  const parsed = parseNumbers(text, max);
  const change = (next: string) => {
    setText(next);
    const read = parseNumbers(next, max);
    if (read.ok) onChange(read.numbers);
  };
  return (
    <Field label={label} htmlFor={id} hint={<span aria-live="polite">{parsed.ok ? "" : sentence(parsed.message)}</span>}>
      <input id={id} className="input mono" value={text} inputMode="text" autoComplete="off" spellCheck={false} aria-invalid={!parsed.ok} onChange={(event) => change(event.target.value)} />
    </Field>
  );
}
