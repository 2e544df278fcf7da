import { pluralFormatter } from '../plurals.js';

const plural = pluralFormatter('en');

/** A dimension, singular and plural. */
export interface DimensionWords {
  readonly one: string;
  readonly many: string;
}

export const en = {
  title: 'Quality',
  compare: 'Compare with the period before',
  clear: 'Clear',
  apply: 'Apply',
  refresh: 'Refresh',
  refreshing: 'Refreshing …',
  numbers: 'Numbers',
  numbersOf: (chart: string) => `${chart}, numbers`,
  time: 'Time',
  overTime: (chart: string) => `${chart} over time; see the numbers below`,
  withBefore: (now: string, before: string) => `${now} (before: ${before})`,
  notKnown: 'not known',
  streamsByVerdict: 'Streams by verdict',
  streamsOverTime: 'Streams over time by verdict; see the numbers below',
  totals: 'Total streams',
  noStreams: 'No streams in this period.',
  noStreamsAdvice: (command: string) => `Select a longer period. ${command} creates sample calls.`,
  noneCounted: 'no streams',
  verdictCounts: {
    good: (count: string) => `${count} good`,
    poor: (count: string) => `${count} poor`,
    bad: (count: string) => `${count} bad`,
    unknown: (count: string) => `${count} unknown`,
  },
  verdictStreams: {
    good: (count: number) => plural(count, { one: '# good stream', other: '# good streams' }),
    poor: (count: number) => plural(count, { one: '# poor stream', other: '# poor streams' }),
    bad: (count: number) => plural(count, { one: '# bad stream', other: '# bad streams' }),
    unknown: (count: number) => plural(count, { one: '# unknown stream', other: '# unknown streams' }),
  },
  measuredOnce: { streams: 'Streams', calls: 'Calls' },
  counted: {
    streams: (count: number) => plural(count, { one: '# stream', other: '# streams' }),
    calls: (count: number) => plural(count, { one: '# call', other: '# calls' }),
  },
  percentiles: {
    streams: (count: number, p50: string, p95: string, max: string) =>
      plural(count, {
        one: `# stream: p50 ${p50}, p95 ${p95}, max ${max}`,
        other: `# streams: p50 ${p50}, p95 ${p95}, max ${max}`,
      }),
    calls: (count: number, p50: string, p95: string, max: string) =>
      plural(count, {
        one: `# call: p50 ${p50}, p95 ${p95}, max ${max}`,
        other: `# calls: p50 ${p50}, p95 ${p95}, max ${max}`,
      }),
  },
  asr: 'Answer-seizure ratio',
  noneAnsweredOrFailed: 'No calls were answered or failed in this period.',
  answered: 'Answered',
  failed: 'Failed',
  ratio: 'Ratio',
  answeredCalls: (count: number) => plural(count, { one: '# answered call', other: '# answered calls' }),
  failedCalls: (count: number) => plural(count, { one: '# failed call', other: '# failed calls' }),
  noCallsCounted: 'no calls',
  answeredOf: (share: string, calls: number) =>
    plural(calls, { one: `${share} of # call answered`, other: `${share} of # calls answered` }),
  metrics: { mos: 'MOS', loss: 'Packet loss', jitter: 'Jitter', roundTrip: 'Round trip', ringSeconds: 'Ring time' },
  lines: { average: 'average', p50: 'p50', p90: 'p90', p95: 'p95', p99: 'p99' },
  notMeasured: 'not measured',
  noMeasurements: 'No measurements in this period.',
  periodBefore: 'the period before',
  average: 'Average',
  thisPeriod: 'this period',
  streamsBefore: 'all streams of the period before',
  max: 'Max',
  averageIs: (value: string) => `average ${value}`,
  p95Above: (value: string) => `p95 above ${value}`,
  p95AtMost: (value: string) => `p95 at most ${value}`,
  metricsBy: ({ one }: DimensionWords) => `Metrics by ${lowered(one)}`,
  metricsTable: ({ one }: DimensionWords) => `Metrics by ${lowered(one)}, table`,
  firstValues: (count: number, { one, many }: DimensionWords) =>
    plural(count, {
      one: `# ${lowered(one)} more, with fewer measured streams.`,
      other: `# ${many} more, with fewer measured streams.`,
    }),
  notAmongFirst: (count: number) =>
    plural(count, {
      one: 'Not the value with the most streams of this metric.',
      other: 'Not among the # values with the most streams of this metric.',
    }),
  metricsAbout: 'MOS on average, the others p95',
  worst: ({ many }: DimensionWords) => `Worst ${many}`,
  badStreams: 'bad streams',
  noBadStreams: 'No bad streams.',
  heat: 'Bad streams by place and time',
  rows: 'Rows',
  by: ({ many }: DimensionWords) => `by ${many}`,
  heatBy: ({ many }: DimensionWords) => `Bad streams by ${many} and time`,
  closer: 'closer',
  noCalls: 'No calls in this period.',
  legend: 'Darker: more of the streams were bad. Numbers: how many were bad (◆), or poor (▲) where none was bad.',
  leftOut: (count: number, { one, many }: DimensionWords) =>
    plural(count, {
      one: `# ${lowered(one)} more, with fewer bad streams.`,
      other: `# ${many} more, with fewer bad streams.`,
    }),
  noSites: 'No sites are configured: SITES_FILE maps subnets to sites.',
  dimensions: {
    site: { one: 'Site', many: 'sites' },
    subnet: { one: 'Subnet', many: 'subnets' },
    frontEnd: { one: 'Front end', many: 'front ends' },
    userAgent: { one: 'Device', many: 'devices' },
    codec: { one: 'Codec', many: 'codecs' },
    connection: { one: 'Connection', many: 'connections' },
    medium: { one: 'Medium', many: 'media' },
    coverage: { one: 'Measured directions', many: 'measured directions' },
    path: { one: 'Path', many: 'paths' },
    endReason: { one: 'End', many: 'ends' },
    endedBy: { one: 'Ended by', many: 'parties' },
    endCode: { one: 'End status', many: 'end statuses' },
    errorCode: { one: 'SIP status', many: 'SIP statuses' },
    diagnosticsCode: { one: 'Diagnostics', many: 'diagnostics' },
    pool: { one: 'Pool', many: 'pools' },
    device: { one: 'Audio device', many: 'audio devices' },
    os: { one: 'Operating system', many: 'operating systems' },
    relay: { one: 'Relay', many: 'relays' },
    trunk: { one: 'Trunk', many: 'trunks' },
    tenantId: { one: 'Tenant', many: 'tenants' },
    ssid: { one: 'Wi-Fi network', many: 'Wi-Fi networks' },
    bssid: { one: 'Access point', many: 'access points' },
    driver: { one: 'Driver', many: 'drivers' },
    category: { one: 'Category', many: 'categories' },
    dscp: { one: 'DSCP', many: 'code points' },
    vpn: { one: 'VPN', many: 'use of VPN' },
    inside: { one: 'Internal network', many: 'internal and external networks' },
    mediaBypass: { one: 'Media bypass', many: 'media bypass' },
  },
};

/** Abbreviations stay as they are. */
function lowered(label: string): string {
  return /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);
}
