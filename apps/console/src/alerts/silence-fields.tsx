import { useState, type ReactNode } from 'react';
import type { AlertSilence } from '../api/answers.js';
import { serverClock } from '../api/server-clock.js';
import { filled } from '../parts/filled.js';
import fields from '../parts/field.module.css';
import forms from '../parts/form.module.css';
import { Time } from '../parts/time/time.js';
import { enteredTime, useTimeZone } from '../parts/time/time-zone.js';
import { texts } from '../texts/alerts.js';
import { texts as partsTexts } from '../texts/parts.js';
import styles from './alerts.module.css';
import { isOver } from './rule-content.js';

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
type Day = (typeof DAYS)[number];
const MOST = 20;

interface SilenceFieldsProps {
  readonly silences: readonly AlertSilence[];
  readonly onChange: (silences: readonly AlertSilence[]) => void;
}

/** When a rule does not fire; saved with the rule. */
export function SilenceFields({ silences, onChange }: SilenceFieldsProps): ReactNode {
  const now = serverClock.now();
  return (
    <fieldset className={styles['silences']}>
      <legend>{texts.silences}</legend>
      {silences.length === 0 && <p className="muted">{texts.noSilences}</p>}
      <ul>
        {silences.map((silence) => (
          <li key={JSON.stringify(silence)}>
            <SilenceWords silence={silence} /> {isOver(silence, now) && <span className="muted">{texts.ended}</span>}
            <button
              className={styles['quiet']}
              type="button"
              onClick={() => onChange(silences.filter((each) => each !== silence))}
            >
              {texts.remove}
            </button>
          </li>
        ))}
      </ul>
      {silences.length < MOST && <AddSilence onAdd={(added) => onChange([...silences, added])} />}
    </fieldset>
  );
}

function SilenceWords({ silence: { days, from, to } }: { readonly silence: AlertSilence }): ReactNode {
  if (days !== undefined) return texts.weekly(days.map((day) => texts.days[day]).join(', '), from, to);
  return filled(texts.once, <Time at={from} />, <Time at={to} />);
}

/** Its inputs have no names: they are not part of the rule until they are added. */
function AddSilence({ onAdd }: { readonly onAdd: (silence: AlertSilence) => void }): ReactNode {
  const [days, setDays] = useState<readonly Day[]>([]);
  const [isWeekly, setWeekly] = useState(false);
  const [[from, to], setTimes] = useState(['', '']);
  const added = silenceOf(isWeekly ? days : undefined, from, to);
  function add(): void {
    if (added === undefined) return;
    onAdd(added);
    setTimes(['', '']);
    setDays([]);
  }
  const type = isWeekly ? 'time' : 'datetime-local';
  // Weekly hours are always of UTC.
  const inZone = useTimeZone() === 'UTC' ? partsTexts.inUtc : (label: string) => label;
  return (
    <div className={forms['buttons']}>
      <label className={fields['label']}>
        {texts.silence}
        <select
          className="field"
          value={isWeekly ? 'weekly' : 'once'}
          onChange={({ target }) => {
            setWeekly(target.value === 'weekly');
            setTimes(['', '']);
          }}
        >
          <option value="once">{texts.silenceKinds.once}</option>
          <option value="weekly">{texts.silenceKinds.weekly}</option>
        </select>
      </label>
      {isWeekly &&
        DAYS.map((day) => (
          <label key={day}>
            <input
              type="checkbox"
              checked={days.includes(day)}
              onChange={({ target }) =>
                setDays(DAYS.filter((each) => (each === day ? target.checked : days.includes(each))))
              }
            />{' '}
            {texts.shortDays[day]}
          </label>
        ))}
      <label className={fields['label']}>
        {isWeekly ? texts.fromUtc : inZone(texts.from)}
        <input
          className="field"
          type={type}
          value={from}
          onChange={({ target }) => setTimes([target.value, to ?? ''])}
        />
      </label>
      <label className={fields['label']}>
        {isWeekly ? texts.toUtc : inZone(texts.to)}
        <input
          className="field"
          type={type}
          value={to}
          onChange={({ target }) => setTimes([from ?? '', target.value])}
        />
      </label>
      <button className="button" type="button" disabled={added === undefined} onClick={add}>
        {texts.addSilence}
      </button>
    </div>
  );
}

/** Undefined while something is missing, or ends before it begins. */
function silenceOf(days: readonly Day[] | undefined, from = '', to = ''): AlertSilence | undefined {
  if (from === '' || to === '') return undefined;
  if (days !== undefined) return days.length === 0 ? undefined : { days, from, to };
  const [begin, end] = [enteredTime(from), enteredTime(to)];
  // A year with six digits can be typed, but is not a time of the API.
  const isTime = [begin, end].every((at) => at > 0 && at < Date.UTC(10_000));
  return isTime && begin < end ? { from: new Date(begin).toISOString(), to: new Date(end).toISOString() } : undefined;
}
