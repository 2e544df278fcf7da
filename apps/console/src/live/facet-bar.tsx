import { useState, type ReactNode } from 'react';
import { VERDICTS } from '../api/calls.js';
import { formatNumber } from '../parts/format.js';
import { VerdictBadge } from '../parts/badges.js';
import chip from '../parts/chip.module.css';
import { texts } from '../texts/live.js';
import { texts as partsTexts } from '../texts/parts.js';
import type { FacetCounts, Facets } from './facets.js';
import styles from './facet-bar.module.css';

interface FacetBarProps {
  /** Undefined until the server has told them. */
  readonly counts: FacetCounts | undefined;
  readonly facets: Facets;
  readonly onToggle: (kind: keyof Facets, value: string) => void;
}

/** Counts of the calls in progress by common values; each count filters the list. */
export function FacetBar({ counts, facets, onToggle }: FacetBarProps): ReactNode {
  const none = counts === undefined ? undefined : 0;
  const states = (['invited', 'active', 'held'] as const).map((state) => ({
    value: state,
    count: counts?.states.get(state) ?? none,
    face: partsTexts.states[state],
  }));
  const verdicts = VERDICTS.map((verdict) => ({
    value: verdict,
    count: counts?.verdicts.get(verdict) ?? none,
    face: <VerdictBadge verdict={verdict} />,
  }));
  const frontEnds = useSeen([...(counts?.frontEnds.keys() ?? []), ...facets.frontEnds]).map((name) => ({
    value: name,
    count: counts?.frontEnds.get(name) ?? none,
    face: (
      <span className={styles['name']} title={name}>
        {name}
      </span>
    ),
  }));
  const group = (kind: keyof Facets, label: string, items: readonly Item[]): ReactNode => (
    <FacetGroup label={label} items={items} chosen={facets[kind]} onToggle={(value) => onToggle(kind, value)} />
  );
  return (
    <div className={styles['bar']}>
      {group('states', texts.state, states)}
      {group('verdicts', texts.verdict, verdicts)}
      {group('frontEnds', texts.frontEnd, frontEnds)}
    </div>
  );
}

/** These values and earlier ones, in order: without one that has no call at the moment, the chips after it would move. */
function useSeen(values: readonly string[]): readonly string[] {
  const [seen, setSeen] = useState<readonly string[]>([]);
  const all = new Set([...seen, ...values]);
  if (all.size > seen.length) setSeen([...all].toSorted());
  return seen;
}

interface Item {
  readonly value: string;
  readonly count: number | undefined;
  readonly face: ReactNode;
}

interface FacetGroupProps {
  readonly label: string;
  readonly items: readonly Item[];
  readonly chosen: ReadonlySet<string>;
  readonly onToggle: (value: string) => void;
}

/** As many chips as two lines have room for; more are shown on request. */
const MOST_CHIPS = 8;

function FacetGroup({ label, items, chosen, onToggle }: FacetGroupProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const first = mostFrequent(items, chosen);
  const shown = isOpen ? items : items.filter(({ value }) => first.has(value));
  const hidden = items.length - first.size;
  return (
    <div className={styles['group']} role="group" aria-label={label}>
      <span className={styles['label']}>{label}</span>
      <div className={styles['items']}>
        {shown.map(({ value, count, face }) => (
          <button
            key={value}
            type="button"
            className={chip['chip']}
            aria-pressed={chosen.has(value)}
            onClick={() => onToggle(value)}
          >
            {face} <b>{count === undefined ? '–' : formatNumber(count)}</b>
          </button>
        ))}
        {hidden > 0 && (
          <button type="button" className={chip['chip']} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? texts.showFewer : texts.showMore(formatNumber(hidden))}
          </button>
        )}
      </div>
    </div>
  );
}

/** The values with the highest counts, and the chosen ones: those must stay in sight. */
function mostFrequent(items: readonly Item[], chosen: ReadonlySet<string>): ReadonlySet<string> {
  if (items.length <= MOST_CHIPS + 1) return new Set(items.map(({ value }) => value));
  const byCount = items.toSorted((a, b) => (b.count ?? 0) - (a.count ?? 0));
  return new Set([...byCount.slice(0, MOST_CHIPS).map(({ value }) => value), ...chosen]);
}
