import type { DigitGuess } from "tilework/models";

const DIGITS = Array.from({ length: 10 }, (_, digit) => digit);

/** What a network thought before and thinks now, digit by digit. */
export function Minds({ before, after }: { before: DigitGuess | null; after: DigitGuess | null }) {
  const isChanged = before !== null && after !== null && before.digit !== after.digit;
  return (
    <div className="minds">
      <p className={isChanged ? "minds-words minds-changed" : "minds-words"} role="status" aria-live="polite" data-testid="minds">
        {before === null || after === null ? "Draw a digit" : <><span>Before <b>{before.digit}</b> {percent(before)}</span><span aria-hidden="true">→</span><span>now <b>{after.digit}</b> {percent(after)}</span></>}
      </p>
      <ol className="minds-bars" aria-label="Probability of each digit, before and now">
        {DIGITS.map((digit) => (
          <li key={digit} className={after?.digit === digit ? "chosen" : ""}>
            <span className="numeric">{digit}</span>
            <span className="bars">
              <i className="was" style={{ transform: `scaleX(${before?.probabilities[digit] ?? 0})` }} />
              <i className="is" style={{ transform: `scaleX(${after?.probabilities[digit] ?? 0})` }} />
            </span>
            <span className="numeric share">{after === null ? "" : `${(100 * (after.probabilities[digit] ?? 0)).toFixed(1)} %`}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

function percent({ digit, probabilities }: DigitGuess): string {
  return `${(100 * (probabilities[digit] ?? 0)).toFixed(1)} %`;
}
