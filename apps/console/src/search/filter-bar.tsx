import type { FormEvent, ReactNode } from 'react';
import { CALL_STATES, VERDICTS } from '../api/calls.js';
import { StateBadge, VerdictBadge } from '../parts/badges.js';
import chip from '../parts/chip.module.css';
import fields from '../parts/field.module.css';
import { PeriodFields } from '../parts/period-fields.js';
import { SPANS } from '../parts/period.js';
import styles from './filter-bar.module.css';
import { filterOf, SORTS, type Filter } from './filter.js';
import { TextFields, textsIn } from './text-fields.js';

interface FilterBarProps {
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
}

/** Fields that are always shown. */
const ALWAYS = ['user', 'address', 'frontEnd', 'errorCode'] as const;

/** All filters in one bar. Choices are applied at once, texts when they are complete (Enter, or focus on the next field). */
export function FilterBar({ filter, onChange }: FilterBarProps): ReactNode {
  const set = (change: Partial<Filter>): void => onChange({ ...filter, ...change });
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    set({ texts: textsIn(event.currentTarget, filter.texts) });
  }

  return (
    <form className={`card ${styles['bar']}`} role="search" onSubmit={submit}>
      <div className={styles['fields']}>
        <TextFields names={ALWAYS} texts={filter.texts} onChange={(texts) => set({ texts })} />
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
            className={chip['chip']}
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
