import { CALL_RANGES, type RangeName } from '@ringdown/call-catalogue/filters';
import type { Verdict } from '@ringdown/quality';
import { CALL_STATES, type Call } from '../../calls/call.js';
import { rangeValue } from '../../calls/range-values.js';

/** What calls can be sorted by, beside their begin and duration. */
const SORT_FIELDS = [
  'ended',
  'ringSeconds',
  'setupSeconds',
  'postDialSeconds',
  'linkSpeed',
  'loss',
  'jitter',
  'roundTrip',
  'mos',
  'verdict',
  'state',
] as const;

type SortField = (typeof SORT_FIELDS)[number];

/** `loss`: the lowest first. `-loss`: the highest first. */
export type CallSort = 'newest' | 'oldest' | 'longest' | 'shortest' | SortField | `-${SortField}`;

export const CALL_SORTS: readonly CallSort[] = [
  ...(['newest', 'oldest', 'longest', 'shortest'] as const),
  ...SORT_FIELDS.flatMap((field) => [field, `-${field}`] as const),
];

interface SortedBy {
  /** In SQL, of columns of `calls`. */
  readonly expression: string;
  readonly isTime?: true;
  /** In SQL: calls without the value are not listed. */
  readonly isKnown?: string;
  /** The same value; undefined when it is not known. */
  readonly valueOf: (call: Call) => number | undefined;
}

export interface Order extends SortedBy {
  readonly direction: 'asc' | 'desc';
}

/** From the best to the worst. */
const SEVERITY: readonly Verdict[] = ['unknown', 'good', 'poor', 'bad'];

const BEGAN: SortedBy = { expression: 'began_at', isTime: true, valueOf: ({ beganAt }) => Date.parse(beganAt) };
/** An unknown duration is stored as a negative one. */
const DURATION: SortedBy = {
  ...ofRange('durationSeconds'),
  isKnown: `${CALL_RANGES.durationSeconds.column} >= 0`,
};

const SORTED_BY: Readonly<Record<SortField, SortedBy>> = {
  ended: {
    ...column('ended_at', ({ endedAt }) => (endedAt === null ? null : Date.parse(endedAt))),
    isTime: true,
  },
  ringSeconds: ofRange('ringSeconds'),
  setupSeconds: ofRange('setupSeconds'),
  postDialSeconds: ofRange('postDialSeconds'),
  linkSpeed: ofRange('linkSpeed'),
  loss: ofRange('loss'),
  jitter: ofRange('jitter'),
  roundTrip: ofRange('roundTrip'),
  mos: ofRange('mos'),
  verdict: ranked('verdict', SEVERITY, ({ verdict }) => verdict),
  state: ranked('state', CALL_STATES, ({ state }) => state),
};

export function orderOf(sort: CallSort): Order {
  switch (sort) {
    case 'newest':
      return { ...BEGAN, direction: 'desc' };
    case 'oldest':
      return { ...BEGAN, direction: 'asc' };
    case 'longest':
      return { ...DURATION, direction: 'desc' };
    case 'shortest':
      return { ...DURATION, direction: 'asc' };
    default: {
      const field = SORT_FIELDS.find((each) => sort === each || sort === `-${each}`);
      if (field === undefined) throw new Error(`no such order: ${sort}`);
      return { ...SORTED_BY[field], direction: sort === field ? 'asc' : 'desc' };
    }
  }
}

function column(name: string, valueOf: (call: Call) => number | null): SortedBy {
  return { expression: name, isKnown: `${name} is not null`, valueOf: (call) => valueOf(call) ?? undefined };
}

/** A number by whose range calls are found. */
function ofRange(name: RangeName): SortedBy {
  return column(CALL_RANGES[name].column, (call) => rangeValue(call, name));
}

/** Texts in an order of their own. */
function ranked<T extends string>(name: string, ranks: readonly T[], valueOf: (call: Call) => T): SortedBy {
  const list = ranks.map((rank) => `'${rank}'`).join(',');
  return {
    expression: `array_position(array[${list}], ${name})`,
    valueOf: (call) => ranks.indexOf(valueOf(call)) + 1,
  };
}
