import { pluralFormatter } from '../plurals.js';
import type { DimensionWords } from './quality.js';

const plural = pluralFormatter('en');

export const en = {
  title: 'Capacity',
  dividedBy: 'Load by',
  show: 'Charts show',
  measures: { calls: 'simultaneous calls', attempts: 'attempts per second', bandwidth: 'bandwidth' },
  loadBy: ({ by }: DimensionWords) => `Load by ${by}`,
  loadTable: ({ by }: DimensionWords) => `Load by ${by}, table`,
  valueCount: (count: number, { one, many }: DimensionWords) =>
    plural(count, { one: `# ${one.toLowerCase()}`, other: `# ${many}` }),
  leftOut: (count: number, { one, many }: DimensionWords) =>
    plural(count, {
      one: `# ${one.toLowerCase()} more, with fewer calls.`,
      other: `# ${many} more, with fewer calls.`,
    }),
  noCalls: 'No calls in this period.',
  noCallsAdvice: (command: string) => `Select a longer period. ${command} creates sample calls.`,
  notKnown: 'not known',
  noValues: ({ one }: DimensionWords) => `The calls of this period have no known ${one.toLowerCase()}.`,
  noValuesAdvice: 'Divide the load by something else.',
  chart: 'Chart',
  chartOf: (value: string) => `Chart of ${value}`,
  mostCharts: (count: string) => `At most ${count} charts are shown.`,
  peak: 'Peak',
  p95: 'p95',
  limit: 'Limit',
  used: 'Used',
  above: 'Above limit',
  attempts: 'Attempts',
  attemptsPeak: 'Attempts/s',
  bandwidthPeak: 'Bandwidth',
  bandwidthP95: 'Bandwidth p95',
  callsAtPeak: (value: string, calls: number, time: string) =>
    plural(calls, {
      one: `${value}: # call at the peak, ${time}`,
      other: `${value}: # calls at the peak, ${time}`,
    }),
  attemptsAtPeak: (value: string, rate: string, time: string) =>
    `${value}: ${rate} attempts per second, the average of the minute with the most, ${time}`,
  bandwidthAtPeak: (value: string, bandwidth: string, time: string) => `${value}: ${bandwidth} at the peak, ${time}`,
  overLimit: 'above the limit',
  minutes: (minutes: string) => `${minutes} min`,
  hoursAndMinutes: (hours: string, minutes: string) => `${hours} h ${minutes} min`,
  foot: 'A peak is the most at any moment, with its minute; that of attempts is the average of the minute in which most calls began. p95: 95 % of all minutes, also those without a call, had at most this.',
  footOfLimits: 'Ringdown rejects no calls above a limit.',
  limitsByAdmins: 'Administrators set the limits.',
  limitWithFilters: 'Filters leave out calls that the trunk carries, too.',
  limitsFailed: (reason: string) => `The limits of trunks cannot be read: ${reason}`,
  atMost: (peak: string) => `at most ${peak}`,
  atMostOf: (peak: string, limit: string) => `at most ${peak}, limit ${limit}`,
  calls: 'Calls',
  callCount: (count: number) => plural(count, { one: '# call', other: '# calls' }),
  attemptRate: (rate: string) => `${rate} attempts per second`,
  running: (value: string, count: number, time: string) =>
    plural(count, { one: `${value}: # call, ${time}`, other: `${value}: # calls, ${time}` }),
  begun: (value: string, count: number, time: string) =>
    plural(count, { one: `${value}: # attempt, ${time}`, other: `${value}: # attempts, ${time}` }),
  setLimit: 'Set limit',
  changeLimit: 'Change limit',
  limitOf: (trunk: string) => `Limit of ${trunk}`,
  limitOfOther: 'Limit of another trunk',
  setOther: 'Set a limit for another trunk',
  trunkName: 'Trunk',
  mostCalls: 'Simultaneous calls',
  save: 'Save',
  overwrite: 'Overwrite',
  removeLimit: 'Remove limit',
  confirmRemove: 'Remove it',
  changedMeanwhile: (calls: string) => `The limit has been set to ${calls} in the meantime.`,
  removedMeanwhile: 'The limit has been removed in the meantime.',
};
