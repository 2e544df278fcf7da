import { useId, useState, type ReactNode } from 'react';
import { DIMENSIONS } from '../../api/catalogue.js';
import chip from '../../parts/chip.module.css';
import fields from '../../parts/field.module.css';
import { fieldWord } from '../../search/fields.js';
import { texts } from '../../texts/comparison.js';
import { texts as qualityTexts } from '../../texts/quality.js';
import { wordsFor } from '../dimensions.js';
import type { Timeframe } from '../timeframe.js';
import { comparisonIn, comparisonTexts, MOST_LINES, WEEKS, type Comparison } from './comparison.js';
import styles from './comparison.module.css';
import { useValueLines, type ComparisonOfValues } from './use-lines.js';

interface ComparisonFieldProps {
  readonly comparison: Comparison;
  readonly onChange: (comparison: Comparison) => void;
}

/** What is compared. Options have the values of the address. */
export function ComparisonField({ comparison, onChange }: ComparisonFieldProps): ReactNode {
  const [[, value] = ['', '']] = comparisonTexts(comparison);
  return (
    <label className={fields['label']}>
      {texts.compare}
      <select
        className="field"
        value={value}
        onChange={(event) => onChange(comparisonIn(new URLSearchParams({ compare: event.target.value })))}
      >
        <option value="">{texts.nothing}</option>
        <optgroup label={texts.overTime}>
          <option value="before">{texts.before}</option>
          {WEEKS.map((weeks) => (
            <option key={weeks} value={`${weeks}weeks`}>
              {texts.weeks(weeks)}
            </option>
          ))}
        </optgroup>
        <optgroup label={texts.values}>
          {DIMENSIONS.map((by) => (
            <option key={by} value={by}>
              {qualityTexts.by(wordsFor(by))}
            </option>
          ))}
        </optgroup>
      </select>
    </label>
  );
}

interface LineFieldsProps {
  readonly comparison: ComparisonOfValues;
  readonly frame: Timeframe;
  readonly onChange: (comparison: Comparison) => void;
}

/** The values that have a line: two to six. A click removes one, and another one can be added. */
export function LineFields({ comparison, frame, onChange }: LineFieldsProps): ReactNode {
  const { lines = [], known } = useValueLines(comparison, frame);
  const values = lines.flatMap(({ value }) => value ?? []);
  const change = (changed: readonly string[]): void => onChange({ ...comparison, values: changed });
  return (
    <div className={styles['lines']} role="group" aria-label={texts.lines}>
      <ul className={styles['chosen']} aria-label={texts.lines}>
        {lines.map(({ key, label }) => (
          <li key={key}>
            {lines.length > 2 ? (
              <button
                type="button"
                className={`${chip['chip']} ${styles['line']}`}
                aria-label={texts.removeLine(label)}
                onClick={() => change(values.filter((value) => value !== key))}
              >
                <span>{label}</span> ×
              </button>
            ) : (
              <span className={styles['line']}>{label}</span>
            )}
          </li>
        ))}
      </ul>
      {lines.length < MOST_LINES && (
        <AddLine
          known={known.filter((value) => !values.includes(value))}
          wordOf={(value) => fieldWord(comparison.by, value)}
          onAdd={(value) => change([...values, value])}
        />
      )}
    </div>
  );
}

interface AddLineProps {
  readonly known: readonly string[];
  readonly wordOf: (value: string) => string;
  readonly onAdd: (value: string) => void;
}

/** Not a form of its own, because it is inside of one. */
function AddLine({ known, wordOf, onAdd }: AddLineProps): ReactNode {
  const [typed, type] = useState('');
  const list = useId();
  function add(): void {
    const text = typed.trim();
    if (text === '') return;
    onAdd(known.find((value) => wordOf(value) === text) ?? text);
    type('');
  }
  return (
    <>
      <label className={fields['label']}>
        {texts.add}
        <input
          className="field"
          type="text"
          list={list}
          value={typed}
          maxLength={512}
          spellCheck={false}
          autoCapitalize="none"
          onChange={(event) => type(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // The form around it would apply the filters.
            event.preventDefault();
            add();
          }}
        />
        <datalist id={list}>
          {known.map((value) => (
            <option key={value}>{wordOf(value)}</option>
          ))}
        </datalist>
      </label>
      <button className="button" type="button" onClick={add}>
        {texts.addValue}
      </button>
    </>
  );
}
