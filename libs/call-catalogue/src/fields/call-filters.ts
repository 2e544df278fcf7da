import { COVERAGES, END_REASONS, ENDED_BY, FLAGS, MEDIA_PATHS } from './choices.js';
import { idValues, nameValues, type FilterTable } from './filter-row.js';
import { NAME, PARTY_FILTERS } from './party-filters.js';

/** A name that statistics have for each stream. */
const STREAM = { hiding: 'field', counted: 'streams', suggested: true } as const;
/** The id of what several calls have in common. */
const LINK = { compared: 'id', hiding: 'field', group: 'call' } as const;
const CODE = { compared: 'number', values: 'numbers', hiding: 'own', counted: 'keys', suggested: true } as const;
const FLAG = { values: FLAGS, hiding: 'field', counted: 'keys' } as const;

/** Fields that calls are found by. Filters, suggestions, statistics and alerts share this table. */
export const CALL_FILTERS = {
  user: {
    kind: 'user',
    compared: 'address',
    values: nameValues('SIP addresses like sip:anna@example.test'),
    hiding: 'user',
    group: 'call',
    example: 'anna@example.test',
    suggested: true,
    brief:
      'with this SIP address of a user, with its domain, with or without `sip:`, not case-sensitive; plain (role `reveal`), or with the 16 hex digits that replace the user part where users are hidden',
  },
  frontEnd: {
    ...STREAM,
    kind: 'frontEnd',
    compared: 'caseless',
    values: nameValues('names of front ends'),
    group: 'call',
    example: 'fe1.example.test',
    brief: 'of this feed, or with the name of this front end in a record; not case-sensitive',
  },
  codec: {
    ...STREAM,
    kind: 'codec',
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
    values: nameValues('names of pools'),
    group: 'call',
    brief: 'whose records name this pool; not case-sensitive',
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
