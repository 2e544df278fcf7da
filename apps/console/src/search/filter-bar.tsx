import { useState, type FormEvent, type ReactNode } from 'react';
import type { ApiError } from '../api/api.js';
import { CALL_STATES, VERDICTS } from '../api/calls.js';
import { StateBadge, VerdictBadge } from '../parts/badges.js';
import chip from '../parts/chip.module.css';
import fields from '../parts/field.module.css';
import { PeriodFields } from '../parts/time/period-fields.js';
import { SPANS } from '../parts/time/period.js';
import { texts } from '../texts/search.js';
import { AddFilter } from './add-filter.js';
import { chosenConditions, withoutCondition } from './chosen-conditions.js';
import { ConditionChips } from './condition-chips.js';
import { withCondition, type Condition } from './conditions.js';
import type { TextName } from './fields.js';
import styles from './filter-bar.module.css';
import { changed, filterConditions, dividedTexts, parseFilter, conditionCriteria, type Filter } from './filter.js';
import { RefusalNote } from './refusal-note.js';
import { SearchBox } from './search-box.js';
import { SORTS, parseSort, USUAL_SORT } from './sorts.js';
import { TextFields, textsIn } from './text-fields.js';

interface FilterBarProps {
  readonly filter: Filter;
  /** Why no calls can be found with it; undefined if they can. */
  readonly refusal: ApiError | undefined;
  readonly onChange: (filter: Filter) => void;
}

/** Fields that are always shown. */
const ALWAYS = ['user', 'address', 'frontEnd', 'errorCode'] as const satisfies readonly TextName[];

/** All filters in one bar. Choices are applied at once, texts when they are complete (Enter, or focus on the next field). */
export function FilterBar({ filter, refusal, onChange }: FilterBarProps): ReactNode {
  const [isAdding, setAdding] = useState(false);
  const set = (change: Partial<Filter>): void => onChange(changed(filter, change));
  const { shown, others } = dividedTexts(filter.texts, ALWAYS);
  const conditions = filterConditions(filter);
  const add = (added: Condition): void => set(conditionCriteria(withCondition(conditions, added)));
  const { q, states, verdicts, more } = filter;
  const criteria = { q, states, verdicts, texts: filter.texts, more };
  const remove = (removed: Condition): void => set(withoutCondition(criteria, removed));
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const words = new FormData(event.currentTarget).get('q');
    set({ texts: textsIn(event.currentTarget, filter.texts), q: typeof words === 'string' ? words.trim() : '' });
  }

  return (
    <form className={`card ${styles['bar']}`} role="search" onSubmit={submit}>
      <SearchBox
        value={filter.q}
        onSearch={(q) => set({ q })}
        onChoose={(chosen) => set({ q: '', ...conditionCriteria(withCondition(conditions, chosen)) })}
      />
      <div className={styles['fields']}>
        <TextFields names={ALWAYS} texts={shown} onChange={(texts) => set({ texts: { ...others, ...texts } })} />
        <PeriodFields period={filter} spans={SPANS} onChange={set} />
        <label className={fields['label']}>
          {texts.sortBy}
          <select
            className="field"
            value={filter.sort}
            onChange={(event) => set({ sort: parseSort(event.target.value) ?? USUAL_SORT })}
          >
            {SORTS.map(({ sort, words }) => (
              <option key={sort} value={sort}>
                {words}
              </option>
            ))}
          </select>
        </label>
      </div>
      {refusal !== undefined && (
        <RefusalNote refusal={refusal} conditions={chosenConditions(criteria)} onRemove={remove} />
      )}
      <ConditionChips conditions={filterConditions({ texts: others, more: filter.more })} onRemove={remove} />
      {isAdding && <AddFilter onAdd={add} />}
      <div className={styles['choices']}>
        <Choices label={texts.verdict} chosen={filter.verdicts} onChange={(verdicts) => set({ verdicts })}>
          {VERDICTS.map((verdict) => [verdict, <VerdictBadge key={verdict} verdict={verdict} />])}
        </Choices>
        <Choices label={texts.state} chosen={filter.states} onChange={(states) => set({ states })}>
          {CALL_STATES.map((state) => [state, <StateBadge key={state} state={state} />])}
        </Choices>
        <span className={styles['end']}>
          <button
            className="button"
            type="button"
            aria-expanded={isAdding}
            onClick={() => setAdding((before) => !before)}
          >
            {texts.moreFilters}
          </button>
          <button className="button" type="button" onClick={() => onChange(parseFilter(''))}>
            {texts.clear}
          </button>
          <button className="button primary" type="submit">
            {texts.search}
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
