import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import fields from '../field.module.css';
import { enteredTime, dateTimeInputValue, useTimeZone } from './time-zone.js';
import { parseSpan, type Period, type SPANS } from './period.js';
import { texts } from '../../texts/parts.js';

interface PeriodFieldsProps {
  readonly period: Period;
  /** The spans to choose from. */
  readonly spans: readonly (typeof SPANS)[number][];
  readonly onChange: (period: Period) => void;
}

/** A relative time span, or custom times. */
export function PeriodFields({ period, spans, onChange }: PeriodFieldsProps): ReactNode {
  const { span, from, to } = period;
  function choose(value: string): void {
    const chosen = parseSpan(value);
    // Custom times start with the current period.
    const day = new Date(Date.now() - 86_400_000).toISOString();
    onChange(chosen === undefined ? { span: undefined, from: day, to: '' } : { span: chosen, from: '', to: '' });
  }
  return (
    <>
      <label className={fields['label']}>
        {texts.time}
        <select className="field" value={span ?? 'own'} onChange={(event) => choose(event.target.value)}>
          {spans.map(({ span: value, words }) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
          <option value="own">{texts.customRange}</option>
        </select>
      </label>
      {span === undefined && (
        <>
          <Moment label={texts.from} at={from} onChange={(at) => onChange({ span, from: at, to })} />
          <Moment label={texts.to} at={to} onChange={(at) => onChange({ span, from, to: at })} />
        </>
      )}
    </>
  );
}

interface MomentProps {
  readonly label: string;
  readonly at: string;
  readonly onChange: (at: string) => void;
}

/** A time that is edited in the zone that is shown; ISO 8601 as a property. It is complete with Enter, or the focus elsewhere. */
function Moment({ label, at, onChange }: MomentProps): ReactNode {
  const zone = useTimeZone();
  const field = useRef<HTMLInputElement>(null);
  const shown = dateTimeInputValue(Date.parse(at));
  useEffect(() => {
    if (field.current !== null) field.current.value = shown;
  }, [shown]);
  function done(value: string): void {
    const entered = enteredTime(value);
    // The time may be more exact than what the field shows of it.
    if (dateTimeInputValue(entered) !== shown) onChange(Number.isNaN(entered) ? '' : new Date(entered).toISOString());
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.key !== 'Enter') return;
    // Otherwise the form is submitted with the time of before.
    event.preventDefault();
    done(event.currentTarget.value);
  }
  return (
    <label className={fields['label']}>
      {zone === 'UTC' ? texts.inUtc(label) : label}
      <input
        ref={field}
        className="field"
        type="datetime-local"
        step="1"
        onKeyDown={onKeyDown}
        onBlur={(event) => done(event.target.value)}
      />
    </label>
  );
}
