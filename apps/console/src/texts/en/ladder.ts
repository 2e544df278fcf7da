import { pluralFormatter } from '../plurals.js';

const plural = pluralFormatter('en');

export const en = {
  callFlow: 'Call flow',
  ladder: 'Ladder',
  shown: 'Shown in the call flow',
  kinds: { request: 'Requests', response: 'Responses', rtcp: 'RTCP', event: 'Records', report: 'Reports' },
  relatedCalls: 'Related calls',
  relatedCall: 'related call',
  late: 'late',
  otherAddresses: 'other addresses',
  downloadPcap: 'Download pcap',
  downloadText: 'Download text',
  notLoaded: (problem: string) => `SIP messages could not be loaded: ${problem}`,
  tryAgain: 'Try again',
  interrupted: 'Live updates interrupted, reconnecting …',
  noMessages: (trace: string, days: string) =>
    `No SIP messages of this call are stored. To see them here, set ${trace} for the sender; messages are kept for as long as ${days} of the aggregator allows.`,
  firstMessages: (count: number) =>
    plural(count, { one: 'Only the first message is shown.', other: 'Only the first # messages are shown.' }),
  firstRecords: (count: number) =>
    plural(count, { one: 'Only the first record is shown.', other: 'Only the first # records are shown.' }),
  relatedNotLoaded: (problem: string) => `Records of related calls could not be loaded: ${problem}`,
  firstRelated: (count: number) =>
    plural(count, {
      one: 'Only records of the first related call are shown.',
      other: 'Only records of the first # related calls are shown.',
    }),
  keys: (down: string, up: string, enter: string, escape: string) =>
    `${down} ${up} next and previous, ${enter} opens, ${escape} closes`,

  noAudio: {
    oneWay: (speaker: string) => `no audio from ${speaker} from here on`,
    silent: 'no audio in either direction from here on',
  },
  again: (message: string) => `${message} (again)`,
  emptyMessage: 'empty message',
  headerOnly: 'header only',
  rtcpTypes: {
    200: 'RTCP sender report',
    201: 'RTCP receiver report',
    202: 'RTCP source description',
    203: 'RTCP goodbye',
    207: 'RTCP extended report',
  },
  rtcpPacket: 'RTCP packet',
  /** Before the medium. */
  events: {
    invite: 'invites',
    lrsInvite: 'invites the room',
    startOrUpdate: 'sends',
    start: 'sends',
    update: 'changes',
    ended: 'ended',
    bye: 'hangs up',
    error: 'error',
    qualityUpdate: 'final report on',
    inCallQuality: 'interim report on',
  },
  /** Before the value. */
  values: { mos: 'MOS', loss: 'loss', jitter: 'jitter', roundTrip: 'round trip' },

  record: 'Record',
  fact: 'About the call',
  message: 'Message',
  copy: 'Copy',
  close: 'Close',
  time: 'Time',
  call: 'Call',
  from: 'From',
  to: 'To',
  capturedBy: 'Captured by',
  frontEnd: 'Front end',
  received: 'Received',
  withoutTime: '(the record has no time of its own)',
  afterEnd: '(after the call was complete)',
  unknown: 'unknown',
  rtcpAdvice: 'A packet of RTCP. Download the pcap to read it with Wireshark.',

  description: 'Session description',
  media: 'Media',
  rejected: 'rejected',
  candidates: (count: string) => `ICE candidates: ${count}`,
  lines: 'Lines of the session description',
  same: 'The same as the previous description',
  compared: 'Compared with the previous description',
};
