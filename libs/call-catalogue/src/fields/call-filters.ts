import { JUDGED_METRICS } from '../metrics/default-thresholds.js';
import { AUDIO, COVERAGES, END_REASONS, ENDED_BY, FLAGS, KNOWN, MEDIA_PATHS } from './choices.js';
import { idValues, nameValues, type FilterTable } from './filter-row.js';
import { NAME, PARTY_FILTERS } from './party-filters.js';

/** A name that statistics have for each stream. */
const STREAM = { hiding: 'field', counted: 'streams', suggested: true } as const;
/** The id of what several calls have in common. */
const LINK = { compared: 'id', hiding: 'field', group: 'call' } as const;
const CODE = { compared: 'number', values: 'numbers', hiding: 'own', counted: 'keys', suggested: true } as const;
const FLAG = { values: FLAGS, hiding: 'field', counted: 'keys' } as const;
/** The address of one side of a call. */
const SIDE = {
  compared: 'address',
  values: nameValues('SIP addresses like sip:anna@example.test'),
  hiding: 'user',
  group: 'call',
  example: 'anna@example.test',
  suggested: true,
} as const;

/** Fields that calls are found by. Filters, suggestions, statistics and alerts share this table. */
export const CALL_FILTERS = {
  user: {
    ...SIDE,
    kind: 'user',
    brief:
      'with this SIP address of a user, with its domain, with or without `sip:`, not case-sensitive; plain (role `reveal`), or with the 16 hex digits that replace the user part where users are hidden',
  },
  caller: { ...SIDE, kind: 'caller', brief: 'from this SIP address, written as for `user`' },
  callee: {
    ...SIDE,
    kind: 'callee',
    brief: 'to this SIP address, written as for `user`; of a forked call, to any of them',
  },
  frontEnd: {
    ...STREAM,
    kind: 'frontEnd',
    suspect: 10,
    surrounds: true,
    compared: 'caseless',
    values: nameValues('names of front ends'),
    group: 'call',
    example: 'fe1.example.test',
    brief: 'of this feed, or with the name of this front end in a record; not case-sensitive',
  },
  codec: {
    ...STREAM,
    kind: 'codec',
    suspect: 9,
    values: nameValues('names of codecs'),
    group: 'media',
    example: 'PCMU/8000',
    brief: 'with a stream with this codec, spelled as in the statistics',
  },
  medium: {
    ...STREAM,
    kind: 'medium',
    values: nameValues('media like audio'),
    group: 'media',
    example: 'audio',
    brief: 'with a stream of this medium, spelled as in the statistics',
  },
  coverage: {
    kind: 'coverage',
    values: COVERAGES,
    hiding: 'own',
    group: 'media',
    counted: 'keys',
    brief: 'of whose media both directions, one or none were judged',
  },
  audio: {
    kind: 'audio',
    values: AUDIO,
    hiding: 'own',
    group: 'media',
    counted: 'keys',
    brief: 'with audio that one side (`oneWay`) or both sides (`silent`) did not hear',
  },
  cause: {
    kind: 'cause',
    values: [...JUDGED_METRICS, ...AUDIO],
    hiding: 'own',
    group: 'media',
    counted: 'keys',
    brief: 'that were poor or bad by this metric (`cause.metric`), or by their audio (`oneWay`, `silent`)',
  },
  connection: {
    ...STREAM,
    kind: 'connection',
    values: nameValues('kinds of connections'),
    group: 'network',
    example: 'wifi',
    brief: 'with an endpoint with this type of connection: `wired`, `wifi`, `mobile`, `tunnel` or `other`',
  },
  userAgent: {
    ...STREAM,
    kind: 'userAgent',
    suspect: 8,
    values: nameValues('names of user agents'),
    group: 'device',
    example: 'Phone/2.1',
    brief: 'with an endpoint with this user agent, spelled as in the statistics',
  },
  errorCode: {
    ...CODE,
    kind: 'error',
    group: 'end',
    example: '486',
    brief: 'with this SIP status in one of its errors',
  },
  diagnosticsCode: {
    ...CODE,
    kind: 'diagnostics',
    group: 'end',
    brief: 'with this diagnostics number in one of its errors',
  },
  endReason: {
    kind: 'endReason',
    values: END_REASONS,
    hiding: 'own',
    group: 'end',
    counted: 'keys',
    brief: 'that ended for this reason',
  },
  endedBy: {
    kind: 'endedBy',
    values: ENDED_BY,
    hiding: 'own',
    group: 'end',
    counted: 'keys',
    brief: 'that were ended by `caller` or `callee`',
  },
  endCode: { ...CODE, kind: 'endCode', group: 'end', example: '486', brief: 'that ended with this SIP status' },
  refusedBy: {
    ...NAME,
    kind: 'refusedBy',
    values: nameValues('servers or gateways'),
    group: 'end',
    example: '10.0.0.9',
    brief:
      'that failed by a fault, and not by an answer of the callee, at this server or gateway (`end.refusedBy.hop`); not case-sensitive',
  },
  rangOut: {
    kind: 'rangOut',
    values: KNOWN,
    hiding: 'own',
    group: 'end',
    brief: 'that rang until they ended with 408, 480, 487 or no SIP status: nobody answered or declined',
  },
  transferred: {
    kind: 'transferred',
    values: KNOWN,
    hiding: 'own',
    group: 'call',
    brief: 'that were transferred, or that a transfer led to (`transferredTo`, `referredBy`)',
  },
  path: {
    kind: 'path',
    values: MEDIA_PATHS,
    hiding: 'own',
    group: 'network',
    counted: 'keys',
    brief: 'with a stream that is `direct` or goes through a `relay`',
  },
  pool: {
    ...NAME,
    kind: 'pool',
    suspect: 11,
    values: nameValues('names of pools'),
    group: 'call',
    example: 'pool1.example.test',
    brief: 'whose records name this pool; not case-sensitive',
  },
  hop: {
    ...NAME,
    kind: 'hop',
    suspect: 5,
    values: nameValues('servers or gateways'),
    group: 'call',
    example: '10.0.0.9',
    brief:
      'that passed this server: a front end, a gateway with a trunk, a server in `Via`, or the one that refused it; without a port, not case-sensitive',
  },
  ...PARTY_FILTERS,
  category: {
    ...NAME,
    kind: 'category',
    values: idValues('categories of dialogs'),
    group: 'call',
    detail: 'dialogCategory',
    column: 48,
    brief: 'of this category (`DialogCategory`); not case-sensitive',
  },
  dscp: {
    ...CODE,
    kind: 'dscp',
    hiding: 'field',
    group: 'network',
    example: '46',
    party: ['dscpInbound', 'dscpOutbound'],
    // Code points of IP have six bits.
    possible: { least: 0, most: 63 },
    column: 45,
    brief: 'with this code point, 0 to 63, of packets in either direction',
  },
  vpn: {
    ...FLAG,
    kind: 'vpn',
    group: 'network',
    party: ['vpn'],
    column: 46,
    brief: 'with a party that is known to be in a VPN, or not to be',
  },
  inside: {
    ...FLAG,
    kind: 'inside',
    group: 'network',
    party: ['inside'],
    column: 47,
    brief: 'with a party that is known to be inside the network of the organisation, or outside',
  },
  mediaBypass: {
    ...FLAG,
    kind: 'mediaBypass',
    group: 'media',
    detail: 'mediaBypass',
    column: 49,
    brief: 'whose media bypass the mediation server, or do not',
  },
  conversationId: {
    ...LINK,
    kind: 'conversation',
    values: idValues('ids of conversations'),
    brief: 'of this conversation; case-sensitive',
  },
  conferenceId: {
    ...LINK,
    kind: 'conference',
    values: idValues('ids of conferences'),
    brief: 'of this conference; case-sensitive',
  },
  correlationId: {
    ...LINK,
    kind: 'correlation',
    values: idValues('correlation ids'),
    brief: 'with this correlation id; case-sensitive',
  },
} as const satisfies FilterTable;
