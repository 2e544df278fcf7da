import { useState, type ReactNode } from 'react';
import fields from '../parts/field.module.css';
import forms from '../parts/form.module.css';
import { texts } from '../texts/alerts.js';
import styles from './alerts.module.css';
import {
  dimensionLabel,
  measureDimensions,
  isOfFeeds,
  MEASURE_NAMES,
  MEASURES,
  shownNumber,
  type Measure,
} from './measures.js';
import { queryText } from '../api/query-text.js';
import { usualMinimum, type WholeContent } from './rule-content.js';
import { useReceivers } from './use-alerts.js';

const SEVERITIES = Object.entries(texts.severities);

/** The fields of a rule, with its content at first. */
export function RuleFields({ content }: { readonly content: WholeContent }): ReactNode {
  const [measure, setMeasure] = useState<Measure>(content.measure);
  const isFeed = isOfFeeds(measure);
  const isSilence = measure === 'silentFeed';
  return (
    <>
      <div className={forms['fields']}>
        <label className={fields['label']}>
          {texts.name}
          <input className="field" name="name" dir="auto" maxLength={100} defaultValue={content.name} required />
        </label>
        <Choice
          label={texts.measure}
          name="measure"
          value={measure}
          options={MEASURE_NAMES.map((name) => [name, MEASURES[name].label])}
          onChange={(value) => setMeasure(MEASURE_NAMES.find((name) => name === value) ?? 'badCalls')}
        />
        <Limits key={measure} measure={measure} content={content} />
        {!isSilence && <Measured key={`measured ${measure}`} measure={measure} content={content} />}
        {(!isFeed || isSilence) && (
          <Amount
            label={isSilence ? texts.leastRecords : texts.leastCalls}
            key={isSilence ? 'records' : 'calls'}
            name="minimumCalls"
            min={1}
            max={1_000_000}
            step={1}
            // Of another measure, it means something else.
            value={isSilence === (content.measure === 'silentFeed') ? content.minimumCalls : usualMinimum(measure)}
          />
        )}
        <Amount label={texts.leastTime} name="for" min={0} max={1440} value={content.forSeconds / 60} />
        {measure === 'shortCalls' && (
          <Amount
            label={texts.shortCall}
            name="shortSeconds"
            min={1}
            max={86_400}
            step={1}
            value={content.shortSeconds}
          />
        )}
        <Choice label={texts.severity} name="severity" value={content.severity} options={SEVERITIES} />
      </div>
      <label className={fields['label']}>
        {isFeed ? texts.onlyFrontEnds : texts.onlyCalls}
        <input
          className="field"
          name="search"
          autoComplete="off"
          spellCheck={false}
          maxLength={8_192}
          defaultValue={queryText(content.search)}
        />
      </label>
      <Receivers chosen={content.receivers} />
      <label>
        <input type="checkbox" name="enabled" defaultChecked={content.enabled} /> {texts.enabled}{' '}
        <span className="muted">{texts.disabledHint}</span>
      </label>
    </>
  );
}

interface LimitsProps {
  readonly measure: Measure;
  readonly content: WholeContent;
}

/** Empty for another measure than that of the rule: its numbers mean something else. */
function Limits({ measure, content }: LimitsProps): ReactNode {
  const { comparison, unit, least, most } = MEASURES[measure];
  const { limit, clearLimit } = content;
  const isOfRule = measure === content.measure;
  const fires = { above: texts.firesAbove, below: texts.firesBelow }[comparison];
  return (
    <>
      <Amount
        label={unit === '' ? texts.firesAboveCount : fires(unit)}
        name="limit"
        min={least}
        max={most}
        value={isOfRule ? shownNumber(measure, limit) : undefined}
      />
      <Amount
        label={unit === '' ? texts.resolvedAtCount : texts.resolvedAt(unit)}
        name="clearLimit"
        min={least}
        max={most}
        value={isOfRule && clearLimit !== limit ? shownNumber(measure, clearLimit) : undefined}
        mayBeEmpty
      />
    </>
  );
}

/** What is measured together. */
function Measured({ measure, content: { by, windowSeconds } }: LimitsProps): ReactNode {
  const isFeed = isOfFeeds(measure);
  const together = isFeed ? texts.allFrontEndsTogether : texts.allCallsTogether;
  return (
    <>
      <Choice
        label={texts.alertForEach}
        name="by"
        value={by ?? ''}
        options={[['', together], ...measureDimensions(measure).map((name) => [name, dimensionLabel(name)] as const)]}
      />
      <Amount
        label={isFeed ? texts.window : texts.windowOfCalls}
        name="window"
        min={1}
        max={1440}
        step={1}
        value={windowSeconds / 60}
      />
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  /** Values and their words. */
  readonly options: readonly (readonly [string, string])[];
  readonly onChange?: (value: string) => void;
}

function Choice({ label, name, value, options, onChange }: ChoiceProps): ReactNode {
  return (
    <label className={fields['label']}>
      {label}
      <select className="field" name={name} defaultValue={value} onChange={({ target }) => onChange?.(target.value)}>
        {options.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

interface AmountProps {
  readonly label: string;
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly step?: number;
  readonly value: number | undefined;
  readonly mayBeEmpty?: boolean;
}

function Amount({ label, name, min, max, step, value, mayBeEmpty = false }: AmountProps): ReactNode {
  return (
    <label className={fields['label']}>
      {label}
      <input
        className="field"
        type="number"
        name={name}
        min={min}
        max={max}
        step={step ?? 'any'}
        defaultValue={value}
        required={!mayBeEmpty}
      />
    </label>
  );
}

/** Names that the rule has stay selectable if the server does not have them any more. */
function Receivers({ chosen }: { readonly chosen: readonly string[] }): ReactNode {
  const { data, error } = useReceivers();
  const names = [...new Set([...(data ?? []).map(({ name }) => name), ...chosen])];
  return (
    <fieldset className={styles['choices']}>
      <legend>{texts.receivers}</legend>
      {names.map((name) => (
        <label key={name}>
          <input type="checkbox" name="receiver" value={name} defaultChecked={chosen.includes(name)} /> {name}
        </label>
      ))}
      {data !== undefined && names.length === 0 && (
        <span className="muted">{texts.noReceivers('ALERT_RECEIVERS')}</span>
      )}
      {error !== null && <span role="alert">{error.message}</span>}
    </fieldset>
  );
}
