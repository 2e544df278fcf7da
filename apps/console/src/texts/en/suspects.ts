import { pluralFormatter } from '../plurals.js';

const plural = pluralFormatter('en');

export const en = {
  title: 'What stands out',
  about: 'what bad and failed calls have in common, the most likely first',
  suspects: {
    bad: (value: string, bad: string, calls: string, others: string) =>
      `${value}: ${bad} of ${calls} calls bad, others ${others}`,
    failed: (value: string, bad: string, calls: string, others: string) =>
      `${value}: ${bad} of ${calls} calls failed, others ${others}`,
    refused: (value: string, bad: string, calls: string, others: string) =>
      `${value}: refused ${bad} of ${calls} calls, others ${others}`,
    noAudio: (value: string, bad: string, calls: string, others: string) =>
      `${value}: ${bad} of ${calls} calls without audio, others ${others}`,
  },
  counted: {
    bad: (value: string, bad: string, calls: string) => `${value} (${bad} of ${calls} calls bad)`,
    failed: (value: string, bad: string, calls: string) => `${value} (${bad} of ${calls} calls failed)`,
    refused: (value: string, bad: string, calls: string) => `${value} (refused ${bad} of ${calls} calls)`,
    noAudio: (value: string, bad: string, calls: string) => `${value} (${bad} of ${calls} calls without audio)`,
  },
  named: (dimension: string, value: string) => `${dimension} ${value}`,
  share: (share: string, low: string, high: string) => `${share}, with 95 % certainty between ${low} and ${high}.`,
  causes: (causes: string) => `Causes: ${causes}.`,
  cause: (cause: string, calls: string) => `${cause} (${calls})`,
  most: (time: string, bad: string, calls: string) => `Most in ${time}: ${bad} of ${calls}.`,
  same: (values: string) => `Exactly the same calls have ${values}: nothing tells them apart.`,
  explains: 'Stand out only because of these calls:',
  onePerson: 'One person is on nearly all of these calls: the value cannot be told from this person.',
  showAll: (count: number) => plural(count, { one: 'Show # more', other: 'Show # more' }),
  sampled: (every: number) =>
    plural(every, {
      one: 'All calls were counted.',
      other: 'There are many calls, so one of # was counted: the numbers are of these, the links open all.',
    }),
  nothing: 'Nothing stands out.',
  nothingAdvice: (comparisons: number) =>
    plural(comparisons, {
      one: 'No value has far more bad or failed calls than the others, in # comparison.',
      other: 'No value has far more bad or failed calls than the others, in # comparisons.',
    }),
  tooFew: 'There are too few calls to compare: a value needs at least 20.',
  overall: (bad: string, failed: string, noAudio: string) =>
    `All calls: ${bad} bad, ${failed} failed, ${noAudio} without audio.`,
  usual: (bad: string, failed: string, noAudio: string) =>
    `In the seven days before: ${bad} bad, ${failed} failed, ${noAudio} without audio.`,
  worse: 'Calls as a whole are worse than in the seven days before.',
  unknownShare: '–',
};
