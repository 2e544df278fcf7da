import { pluralFormatter } from '../plurals.js';

const plural = pluralFormatter('en');

export const en = {
  overview: 'Overview',
  inProgress: (count: number, shown: string) =>
    plural(count, { one: `${shown} call in progress`, other: `${shown} calls in progress` }),
  pause: 'Pause',
  resume: 'Resume',
  statuses: {
    connecting: 'connecting …',
    live: 'live',
    paused: 'paused',
    reconnecting: 'reconnecting …',
    refused: 'stopped',
  },
  shown: (count: number) => plural(count, { one: '# call shown.', other: '# calls shown.' }),
  notListed: (count: number) =>
    plural(count, {
      one: '# call more in progress, not listed yet.',
      other: '# calls more in progress, not listed yet.',
    }),
  badInProgress: (count: number) => plural(count, { one: '# bad call in progress', other: '# bad calls in progress' }),
  live: 'Live',
  callCount: (count: number) => plural(count, { one: '# call', other: '# calls' }),
  tabTitle: (calls: string) => `${calls} – Ringdown`,
  tabTitleWithBad: (bad: string, calls: string) => `(${bad} bad) ${calls} – Ringdown`,
  noMatches: 'No calls in progress match these filters.',
  showAll: 'Show all',
  chartsOnly: (filters: string) =>
    `The list has filters by state, verdict, front end and site. Only the charts have: ${filters}.`,
  searchRunning: 'Search calls in progress with all filters',
  filtersFailed: 'The filters cannot be shown: reload the page.',
  noCalls: 'No calls in progress.',
  noCallsAdvice: (command: string) => `New calls appear here automatically. ${command} creates sample calls.`,

  showFewer: 'Show fewer',
  showMore: (count: string) => `+ ${count} more`,
  sort: 'Sort',
  sorts: { severity: 'Worst first', newest: 'Newest first', oldest: 'Longest first' },
  group: 'Group',
  groups: { none: 'Not grouped', frontEnd: 'Front end', site: 'Site', verdict: 'Verdict' },
  unknown: { frontEnd: 'Unknown front end', site: 'No site' },
  endedRecently: 'Ended recently',

  calls: 'Calls',
  verdict: 'Verdict',
  state: 'State',
  parties: 'Parties',
  problem: 'Problem',
  media: 'Media',
  frontEnd: 'Front end',
  started: 'Started',
  duration: 'Duration',
  unknownParty: 'unknown',

  concurrentCalls: 'Concurrent calls',
  bandwidth: 'Bandwidth',
  lastHour: 'Last hour',
  inLastHour: 'last hour',
  period: (from: string, to: string) => `${from} to ${to}`,
  most: (load: string) => `max ${load}`,
  loadOf: (value: string, load: string) => `${value} ${load}`,
  upTo: (period: string, most: string) => `${period}, max ${most}`,
  chart: (title: string, period: string) => `${title}, ${period}`,
};
