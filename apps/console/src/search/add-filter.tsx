import { useId, useState, type ReactNode } from 'react';
import { CALL_STATES, VERDICTS } from '../api/calls.js';
import fields from '../parts/field.module.css';
import { texts } from '../texts/search.js';
import { isExcludable, rangeValue, type Condition } from './conditions.js';
import { FILTER_GROUPS } from '../api/catalogue.js';
import { searchField, RANGES, TEXTS, valueWord, type RangeField, type TextName, type ValueName } from './fields.js';
import styles from './filter-bar.module.css';
import { useSuggestions } from './suggestions.js';

/** What can be chosen: a field, a range, or a list that the bar itself only includes. */
type Choice =
  | { readonly kind: 'field'; readonly field: TextName }
  | { readonly kind: 'range'; readonly range: RangeField }
  | { readonly kind: 'excluded'; readonly name: string; readonly values: readonly ValueName[] };

const EXCLUDED = [
  { kind: 'excluded', name: 'not.verdict', values: VERDICTS },
  { kind: 'excluded', name: 'not.state', values: CALL_STATES },
] as const;

/** Adds a filter by any field of the query API. Not a form of its own, because it is inside of one. */
export function AddFilter({ onAdd }: { readonly onAdd: (condition: Condition) => void }): ReactNode {
  const [key, chooseKey] = useState('codec');
  const [operator, chooseOperator] = useState(0);
  const [typed, type] = useState('');
  const [wrong, setWrong] = useState('');
  const choice = choiceOf(key);
  const operators = operatorsOf(choice);
  const chosen = operators[operator] ?? operators[0];

  function add(): void {
    const value = choice.kind === 'range' ? rangeValue(choice.range, typed) : typed.trim() || choiceValues(choice)?.[0];
    if (chosen === undefined || value === undefined) {
      setWrong(choice.kind === 'range' && !choice.range.isTime ? texts.numberMissing : texts.valueMissing);
      return;
    }
    onAdd({ name: chosen.name, value });
    type('');
    setWrong('');
  }
  function choose(next: string): void {
    chooseKey(next);
    chooseOperator(0);
    type('');
    setWrong('');
  }

  return (
    <div className={styles['adder']} role="group" aria-label={texts.addFilter}>
      <label className={fields['label']}>
        {texts.field}
        <select className="field" value={key} onChange={(event) => choose(event.target.value)}>
          <FieldOptions />
        </select>
      </label>
      <label className={fields['label']}>
        {texts.condition}
        <select
          className="field"
          value={chosen === undefined ? 0 : operators.indexOf(chosen)}
          onChange={(event) => chooseOperator(Number(event.target.value))}
        >
          {operators.map(({ name, words }, index) => (
            <option key={name} value={index} data-parameter={name}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <ValueField choice={choice} typed={typed} isWrong={wrong !== ''} onType={type} onEnter={add} />
      <button className="button" type="button" onClick={add}>
        {texts.add}
      </button>
      {wrong !== '' && (
        <span role="alert" className={styles['wrong']}>
          {wrong}
        </span>
      )}
    </div>
  );
}

interface ValueFieldProps {
  readonly choice: Choice;
  readonly typed: string;
  readonly isWrong: boolean;
  readonly onType: (typed: string) => void;
  readonly onEnter: () => void;
}

function ValueField({ choice, typed, isWrong, onType, onEnter }: ValueFieldProps): ReactNode {
  const list = useId();
  const suggestions = useSuggestions(typed, choice.kind === 'field' ? [choice.field] : []);
  const values = choiceValues(choice);
  const { unit, isTime } = choice.kind === 'range' ? choice.range : {};
  return (
    <label className={fields['label']}>
      {unit === undefined ? texts.value : texts.valueIn(unit)}
      {values === undefined ? (
        <input
          className="field"
          type={isTime ? 'datetime-local' : 'text'}
          inputMode={unit === undefined ? undefined : 'decimal'}
          list={list}
          value={typed}
          maxLength={512}
          placeholder={choice.kind === 'field' ? searchField(choice.field).example : undefined}
          spellCheck={false}
          autoCapitalize="none"
          aria-invalid={isWrong || undefined}
          onChange={(event) => onType(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // The form around it would search.
            event.preventDefault();
            onEnter();
          }}
        />
      ) : (
        <select className="field" value={typed || values[0]} onChange={(event) => onType(event.target.value)}>
          {values.map((value) => (
            <option key={value} value={value}>
              {valueWord(values, value)}
            </option>
          ))}
        </select>
      )}
      <datalist id={list}>
        {suggestions.map(({ value }) => (
          <option key={value}>{value}</option>
        ))}
      </datalist>
    </label>
  );
}

function choiceValues(choice: Choice): readonly ValueName[] | undefined {
  return choice.kind === 'excluded'
    ? choice.values
    : choice.kind === 'field'
      ? searchField(choice.field).values
      : undefined;
}

function FieldOptions(): ReactNode {
  return (
    <>
      {FILTER_GROUPS.map((group) => (
        <optgroup key={group} label={texts.groups[group]}>
          {TEXTS.filter((name) => searchField(name).group === group).map((name) => (
            <option key={name} value={name}>
              {searchField(name).label}
            </option>
          ))}
        </optgroup>
      ))}
      <optgroup label={texts.groups.ranges}>
        {RANGES.map(({ label, min }) => (
          <option key={min} value={min}>
            {label}
          </option>
        ))}
      </optgroup>
      <optgroup label={texts.groups.excluded}>
        <option value="not.verdict">{texts.verdict}</option>
        <option value="not.state">{texts.state}</option>
      </optgroup>
    </>
  );
}

function choiceOf(key: string): Choice {
  const field = TEXTS.find((name) => name === key);
  if (field !== undefined) return { kind: 'field', field };
  const range = RANGES.find(({ min }) => min === key);
  if (range !== undefined) return { kind: 'range', range };
  return EXCLUDED.find(({ name }) => name === key) ?? EXCLUDED[0];
}

interface Operator {
  /** The parameter of the query API. */
  readonly name: string;
  readonly words: string;
}

function operatorsOf(choice: Choice): readonly Operator[] {
  switch (choice.kind) {
    case 'field': {
      const { field } = choice;
      const is = { name: field, words: texts.operators.is };
      return isExcludable(field) ? [is, { name: `not.${field}`, words: texts.operators.isNot }] : [is];
    }
    case 'range': {
      const { min, max, isTime } = choice.range;
      return [
        { name: min, words: isTime ? texts.operators.from : texts.operators.atLeast },
        { name: max, words: isTime ? texts.operators.until : texts.operators.atMost },
      ];
    }
    default:
      return [{ name: choice.name, words: texts.operators.isNot }];
  }
}
