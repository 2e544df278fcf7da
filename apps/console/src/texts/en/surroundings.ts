export const en = {
  title: 'Was it only this call?',
  only: 'Yes: other calls like it had no more trouble than usual.',
  other: (names: string) => `No: more trouble than usual with ${names}.`,
  unclear: 'Not clear: there were too few other calls like it.',
  table: 'Calls around this one',
  callsWith: 'Calls with',
  hour: 'In the same hour',
  usually: 'In the seven days before',
  named: (dimension: string, value: string) => `${dimension} ${value}`,
  noCalls: 'no calls',
  counts: {
    bad: (bad: number, calls: number, share: string) => `${bad} of ${calls} bad (${share})`,
    failed: (bad: number, calls: number, share: string) => `${bad} of ${calls} failed (${share})`,
    noAudio: (bad: number, calls: number, share: string) => `${bad} of ${calls} without audio (${share})`,
  },
};
