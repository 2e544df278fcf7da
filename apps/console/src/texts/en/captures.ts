import { pluralFormatter } from '../plurals.js';

const plural = pluralFormatter('en');

export const en = {
  feeds: 'Feeds',
  allFeeds: 'All feeds',
  upload: 'Upload a capture',
  formats:
    'A pcap or pcapng file with SIP, also compressed with gzip or zstd. Its calls appear under a front end of their own and do not count in statistics.',
  file: 'Capture file',
  needsReveal: 'Captures may be uploaded only by users with the role reveal.',
  frontEnd: 'Front end name',
  frontEndRule: 'Letters, digits, dots, hyphens and underscores; a letter or digit first',
  frontEndExample: 'The end of its name',
  send: 'Upload',
  cancel: 'Cancel',
  sent: 'Sent',
  emptyFile: 'The file is empty.',
  connectionLost: 'The connection was lost during the upload. No data was processed; upload the file again.',
  cancelled: 'Upload cancelled. No data was processed.',

  captures: 'Captures',
  captureCount: (count: number) => plural(count, { one: '# capture', other: '# captures' }),
  noCaptures: 'No captures in the last seven days.',
  captureOf: (frontEnd: string) => `Capture of ${frontEnd}`,
  stop: 'Stop',
  confirmStop: 'Stop reading',
  remove: 'Remove',
  confirmRemove: 'Remove (calls are kept)',
  failed: (reason: string) => `Failed: ${reason}`,
  // The words of the server are English, and name numbers and limits.
  failureWithDetail: (_words: string, detail: string) => detail,
  failures: {
    'reader-not-started': 'The process that reads captures could not be started.',
    'reader-ended': 'The process that reads captures ended early; its memory is limited (CAPTURE_MEMORY_MB).',
    'too-slow': 'Reading took longer than allowed (CAPTURE_SECONDS).',
    'no-collector': 'The collector could not be reached.',
    'records-not-accepted': 'The collector did not accept all records.',
    interrupted: 'Reading was interrupted by a restart.',
    'not-a-capture': 'The file is not a capture (pcap or pcapng).',
    'nothing-to-send': 'The capture contains no calls.',
    'unreadable-packets': 'Damaged packets could not be read.',
    'unsupported-packets': 'Packets of this kind are not read.',
  },
  reasons: {
    cut: 'cut',
    'unknown call': 'unknown call',
    'unknown dialog': 'unknown dialog',
    'Call-ID used again': 'Call-ID used again',
    'no evidence': 'no evidence',
    'contradicting evidence': 'contradicting evidence',
    'unknown medium': 'unknown medium',
    'unknown stream': 'unknown stream',
    'impossible value': 'impossible value',
    unreadable: 'unreadable',
    'after the call': 'after the call',
    'single packets': 'single packets',
    'too many streams': 'too many streams',
  },
  read: 'Read',
  reading: (packets: string, records: string) => `Reading: ${packets}, ${records}`,
  done: (packets: string, records: string, calls: string) => `Read: ${packets}, ${records}, ${calls}`,
  packets: (count: number) => plural(count, { one: '# packet', other: '# packets' }),
  records: (count: number) => plural(count, { one: '# record', other: '# records' }),
  calls: (count: number) => plural(count, { one: '# call', other: '# calls' }),
  uncountedReports: (reasons: string) => `Quality reports that count for no stream: ${reasons}`,
  unplacedMessages: (reasons: string) => `SIP messages that fit no call: ${reasons}`,
  uncountedRtp: (reasons: string) => `RTP packets that count for no call: ${reasons}`,
  succeededRegistrations: (count: number) =>
    plural(count, { one: '# registration was accepted.', other: '# registrations were accepted.' }),
  failedRequests: (count: number) =>
    plural(count, { one: '# request outside of calls failed', other: '# requests outside of calls failed' }),
  failedRequest: (count: string, request: string, status: string, peer: string) =>
    `${count} × ${request} ${status}, ${peer}`,
  requestWithoutResponse: (count: string, request: string, peer: string) =>
    `${count} × ${request} without a response, ${peer}`,
  allCallsOf: (frontEnd: string) => `All calls of ${frontEnd}`,
  firstOfCapture: (allCalls: string, count: string) => `${allCalls}; the first ${count} of this capture:`,
  notShown: (count: number) =>
    plural(count, {
      one: '# call not shown: the version of the records cannot express them.',
      other: '# calls not shown: the version of the records cannot express them.',
    }),
};
