import { useEffect, useRef, type FormEvent, type ReactNode } from 'react';
import { CALL_STATES, VERDICTS } from '../api/calls.js';
import { StateBadge, VerdictBadge } from '../parts/badges.js';
import fields from '../parts/field.module.css';
import { PeriodFields } from '../parts/period-fields.js';
import { SPANS } from '../parts/period.js';
import styles from './filter-bar.module.css';
import { filterOf, SORTS, type Filter, type TextName } from './filter.js';

interface FilterBarProps {
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
}

/** Fields that are always there, with what to write into them. */
const FIELDS: readonly (readonly [TextName, string, string])[] = [
  ['user', 'User', 'anna@example.test'],
  ['address', 'Address or subnet', '10.1.0.0/16'],
  ['frontEnd', 'Front end', 'fe1.example.test'],
  ['errorCode', 'SIP status', '486'],
];
/** Those that come with a link; they are there while they hold something. */
const FURTHER: readonly (readonly [TextName, string])[] = [
  ['site', 'Site'],
  ['userAgent', 'Device'],
  ['codec', 'Codec'],
  ['connection', 'Connection'],
  ['medium', 'Medium'],
  ['diagnosticsCode', 'Diagnostics'],
  ['callId', 'CallId'],
  ['conversationId', 'Conversation'],
  ['conferenceId', 'Conference'],
  ['correlationId', 'Mediation'],
];

/** Every filter in one bar. Choices count at once, texts when they are done (Enter, or on to the next field). */
export function FilterBar({ filter, onChange }: FilterBarProps): ReactNode {
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      first.current?.focus();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);

  const set = (change: Partial<Filter>): void => onChange({ ...filter, ...change });
  function setText(name: TextName, value: string): void {
    if (value.trim() !== (filter.texts[name] ?? '')) set({ texts: { ...filter.texts, [name]: value.trim() } });
  }
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const texts = { ...filter.texts };
    for (const [name] of [...FIELDS, ...FURTHER]) {
      const value = form.get(name);
      if (typeof value === 'string') texts[name] = value.trim();
    }
    set({ texts });
  }

  return (
    <form className={`card ${styles['bar']}`} role="search" onSubmit={submit}>
      <div className={styles['fields']}>
        {FIELDS.map(([name, label, example], index) => (
          <label key={name} className={fields['label']}>
            {label}
            <input
              ref={index === 0 ? first : undefined}
              className="field"
              name={name}
              defaultValue={filter.texts[name]}
              placeholder={example}
              spellCheck={false}
              autoCapitalize="none"
              onBlur={(event) => setText(name, event.target.value)}
            />
          </label>
        ))}
        {FURTHER.filter(([name]) => filter.texts[name] !== undefined).map(([name, label]) => (
          <label key={name} className={fields['label']}>
            {label}
            <input
              className="field"
              name={name}
              type="search"
              defaultValue={filter.texts[name]}
              onBlur={(event) => setText(name, event.target.value)}
            />
          </label>
        ))}
        <PeriodFields period={filter} spans={SPANS} onChange={set} />
        <label className={fields['label']}>
          Order
          <select
            className="field"
            value={filter.sort}
            onChange={(event) => set({ sort: SORTS.find((sort) => sort === event.target.value) ?? 'newest' })}
          >
            {SORTS.map((sort) => (
              <option key={sort} value={sort}>
                {sort} first
              </option>
            ))}
          </select>
        </label>
      </div>
      <div className={styles['choices']}>
        <Choices label="Verdict" chosen={filter.verdicts} onChange={(verdicts) => set({ verdicts })}>
          {VERDICTS.map((verdict) => [verdict, <VerdictBadge key={verdict} verdict={verdict} />])}
        </Choices>
        <Choices label="State" chosen={filter.states} onChange={(states) => set({ states })}>
          {CALL_STATES.map((state) => [state, <StateBadge key={state} state={state} />])}
        </Choices>
        <span className={styles['end']}>
          <button className="button" type="button" onClick={() => onChange(filterOf(''))}>
            Clear
          </button>
          <button className="button primary" type="submit">
            Search
          </button>
        </span>
      </div>
    </form>
  );
}

interface ChoicesProps {
  readonly label: string;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  readonly children: readonly (readonly [string, ReactNode])[];
}

function Choices({ label, chosen, onChange, children }: ChoicesProps): ReactNode {
  return (
    <div className={styles['group']} role="group" aria-label={label}>
      {children.map(([value, face]) => {
        const isChosen = chosen.includes(value);
        return (
          <button
            key={value}
            type="button"
            className={styles['choice']}
            aria-pressed={isChosen}
            onClick={() => onChange(isChosen ? chosen.filter((other) => other !== value) : [...chosen, value])}
          >
            {face}
          </button>
        );
      })}
    </div>
  );
}
