import { useId, type ReactNode } from "react";

interface Option<T extends string> {
  readonly value: T;
  readonly label: ReactNode;
  readonly disabled?: boolean;
}

interface ChoiceProps<T extends string> {
  label: string;
  options: readonly Option<T>[];
  value: T;
  onChange: (value: T) => void;
  disabled?: boolean;
}

/** One of a few: radio buttons that look like one control, so arrow keys work as everywhere. */
export function Choice<T extends string>({ label, options, value, onChange, disabled = false }: ChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset className="choice" disabled={disabled}>
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className="choice-option">
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={option.disabled ?? false}
            onChange={() => onChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** A label above a control. */
export function Field({ label, hint, children, htmlFor }: { label: string; hint?: ReactNode; children: ReactNode; htmlFor?: string }) {
  return (
    <div className="field">
      {htmlFor === undefined ? <span className="field-label">{label}</span> : <label className="field-label" htmlFor={htmlFor}>{label}</label>}
      {children}
      {hint !== undefined && <span className="field-hint">{hint}</span>}
    </div>
  );
}
