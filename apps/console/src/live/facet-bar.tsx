import { useState, type ReactNode, type Ref } from 'react';
import { VERDICTS } from '../api/calls.js';
import { formatNumber } from '../parts/format.js';
import { VerdictBadge } from '../parts/badges.js';
import chip from '../parts/chip.module.css';
import { texts } from '../texts/live.js';
import { texts as partsTexts } from '../texts/parts.js';
import { useChipRoom } from './chip-room.js';
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
  const frontEnds = useRanked(counts?.frontEnds ?? NONE, facets.frontEnds).map((name) => ({
    value: name,
    count: counts?.frontEnds.get(name) ?? none,
    face: (
      <span className={styles['name']} title={name}>
        {name}
      </span>
    ),
  }));
  const group = (kind: keyof Facets, label: string): Omit<FacetGroupProps, 'items'> => ({
    label,
    chosen: facets[kind],
    onToggle: (value) => onToggle(kind, value),
  });
  return (
    <div className={styles['bar']}>
      <FacetGroup {...group('states', texts.state)} items={states} />
      <FacetGroup {...group('verdicts', texts.verdict)} items={verdicts} />
      <LongFacetGroup {...group('frontEnds', texts.frontEnd)} items={frontEnds} />
    </div>
  );
}

const NONE: ReadonlyMap<string, number> = new Map();

/**
 * All values that were ever seen: those seen together by their counts at that time, later ones after them. By the current
 * counts, or without a value that has no call at the moment, the chips would move.
 */
function useRanked(counts: ReadonlyMap<string, number>, chosen: ReadonlySet<string>): readonly string[] {
  const [ranked, setRanked] = useState<readonly string[]>([]);
  const known = new Set(ranked);
  const added = [...new Set([...counts.keys(), ...chosen])].filter((value) => !known.has(value));
  if (added.length === 0) return ranked;
  const countOf = (value: string): number => counts.get(value) ?? 0;
  const all = [...ranked, ...added.toSorted((a, b) => countOf(b) - countOf(a) || (a < b ? -1 : 1))];
  setRanked(all);
  return all;
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

function FacetGroup({ label, items, chosen, onToggle, place, children }: ShownGroupProps): ReactNode {
  return (
    <div className={styles['group']} role="group" aria-label={label}>
      <span className={styles['label']}>{label}</span>
      <div ref={place} className={styles['items']}>
        {items.map(({ value, count, face }) => (
          <button
            key={value}
            type="button"
            className={chip['chip']}
            aria-pressed={chosen.has(value)}
            onClick={() => onToggle(value)}
          >
            {face} <b>{shownCount(count)}</b>
          </button>
        ))}
        {children}
      </div>
    </div>
  );
}

interface ShownGroupProps extends FacetGroupProps {
  readonly place?: Ref<HTMLDivElement>;
  /** After the chips. */
  readonly children?: ReactNode;
}

/** Shows as many chips as two lines have room for, and those that are chosen; the others on request, by name. */
function LongFacetGroup({ items, ...group }: FacetGroupProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  // A chip has room for three digits.
  const widths = items.map(({ value, count }) => `${value} ${Math.max(3, shownCount(count).length)}`).join('\n');
  const { place, isMeasured, room } = useChipRoom(isOpen ? '' : widths, items.length);
  const first = items.filter(({ value }, index) => index < room || group.chosen.has(value));
  const shown = isOpen ? items.toSorted((a, b) => (a.value < b.value ? -1 : 1)) : first;
  const hidden = items.length - first.length;
  return (
    <FacetGroup {...group} items={shown} place={place}>
      {/* Also while the chips are measured, so that it keeps the focus. */}
      {(hidden > 0 || isOpen || !isMeasured) && (
        <button type="button" className={chip['chip']} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? texts.showFewer : texts.showMore(formatNumber(hidden))}
        </button>
      )}
    </FacetGroup>
  );
}

function shownCount(count: number | undefined): string {
  return count === undefined ? '–' : formatNumber(count);
}
