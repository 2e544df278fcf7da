import { pluralFormatter } from '../plurals.js';

const plural = pluralFormatter('en');

export const en = {
  compare: 'Compare',
  nothing: 'nothing',
  before: 'with the period before',
  overTime: 'Over time',
  weeks: (count: number) => plural(count, { one: '# week', other: '# weeks' }),
  values: 'One line for each value',
  lines: 'Lines',
  removeLine: (label: string) => `Remove the line ${label}`,
  add: 'Add a line',
  addValue: 'Add',
  noLines: 'No values to compare in this period.',
  badStreams: 'Bad streams',
  badOf: (share: string, streams: string) => `${share} of ${streams} streams`,
  lineOf: (metric: string, line: string) => `${metric}, ${line}`,
  nothingKnown: 'nothing measured',
  more: {
    bad: (share: string, others: string) => `more bad than the others (${share}, others ${others})`,
    failed: (share: string, others: string) => `more failed than the others (${share}, others ${others})`,
    above: (bound: string, share: string, others: string) =>
      `more above ${bound} than the others (${share}, others ${others})`,
    atMost: (bound: string, share: string, others: string) =>
      `more at or below ${bound} than the others (${share}, others ${others})`,
  },
  fewer: {
    bad: (share: string, others: string) => `fewer bad than the others (${share}, others ${others})`,
    failed: (share: string, others: string) => `fewer failed than the others (${share}, others ${others})`,
    above: (bound: string, share: string, others: string) =>
      `fewer above ${bound} than the others (${share}, others ${others})`,
    atMost: (bound: string, share: string, others: string) =>
      `fewer at or below ${bound} than the others (${share}, others ${others})`,
  },
  marked:
    'Marked (▲ more, ▼ fewer): what differs from all other lines together by more than 3 percentage points and beyond chance, with 95 % certainty for the whole chart. Both streams of a call count as one.',
  value: (label: string, value: string) => `${label} ${value}`,
  cell: (label: string, value: string, time: string) => `${label}: ${value}, ${time}`,
};
