import { pluralFormatter } from '../plurals.js';

const plural = pluralFormatter('en');

/** A dimension: its label, several of its values, and what follows "by". */
export interface DimensionWords {
  readonly one: string;
  readonly many: string;
  readonly by: string;
}

export const en = {
  title: 'Quality',
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
  thisPeriod: 'this period',
  streamsBefore: 'all streams of the period before',
  average: 'Average',
  max: 'Max',
  averageIs: (value: string) => `average ${value}`,
  p95Above: (value: string) => `p95 above ${value}`,
  p95AtMost: (value: string) => `p95 at most ${value}`,
  metricsBy: ({ by }: DimensionWords) => `Metrics by ${by}`,
  metricsTable: ({ by }: DimensionWords) => `Metrics by ${by}, table`,
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
  by: ({ by }: DimensionWords) => `by ${by}`,
  heatBy: ({ by }: DimensionWords) => `Bad streams by ${by} and time`,
  closer: 'closer',
  noCalls: 'No calls in this period.',
  legend:
    'Darker: a larger part of the streams was bad, as far as their number tells: one of one is lighter than twenty of forty. Numbers: how many were bad (◆), or poor (▲) where none was bad.',
  leftOut: (count: number, { one, many }: DimensionWords) =>
    plural(count, {
      one: `# ${lowered(one)} more, with fewer bad streams.`,
      other: `# ${many} more, with fewer bad streams.`,
    }),
  noSites: 'No sites are configured: SITES_FILE maps subnets to sites.',
  dimensions: {
    site: { one: 'Site', many: 'sites', by: 'site' },
    subnet: { one: 'Subnet', many: 'subnets', by: 'subnet' },
    frontEnd: { one: 'Front end', many: 'front ends', by: 'front end' },
    userAgent: { one: 'Device', many: 'devices', by: 'device' },
    codec: { one: 'Codec', many: 'codecs', by: 'codec' },
    connection: { one: 'Connection', many: 'connections', by: 'kind of connection' },
    medium: { one: 'Medium', many: 'media', by: 'medium' },
    coverage: { one: 'Measured directions', many: 'measured directions', by: 'measured directions' },
    audio: { one: 'Audio', many: 'kinds of audio', by: 'audio' },
    cause: { one: 'Cause', many: 'causes', by: 'cause' },
    path: { one: 'Path', many: 'paths', by: 'path of the media' },
    endReason: { one: 'End', many: 'kinds of end', by: 'kind of end' },
    endedBy: { one: 'Ended by', many: 'parties', by: 'who ended the call' },
    endCode: { one: 'End status', many: 'end statuses', by: 'end status' },
    errorCode: { one: 'SIP status', many: 'SIP statuses', by: 'SIP status' },
    diagnosticsCode: { one: 'Diagnostics', many: 'diagnostics', by: 'diagnostics' },
    refusedBy: { one: 'Refused by', many: 'refusing servers', by: 'refusing server' },
    pool: { one: 'Pool', many: 'pools', by: 'pool' },
    hop: { one: 'Server', many: 'servers', by: 'server' },
    device: { one: 'Audio device', many: 'audio devices', by: 'audio device' },
    os: { one: 'Operating system', many: 'operating systems', by: 'operating system' },
    relay: { one: 'Relay', many: 'relays', by: 'relay' },
    trunk: { one: 'Trunk', many: 'trunks', by: 'trunk' },
    tenantId: { one: 'Tenant', many: 'tenants', by: 'tenant' },
    ssid: { one: 'Wi-Fi network', many: 'Wi-Fi networks', by: 'Wi-Fi network' },
    bssid: { one: 'Access point', many: 'access points', by: 'access point' },
    driver: { one: 'Driver', many: 'drivers', by: 'driver' },
    category: { one: 'Category', many: 'categories', by: 'category' },
    dscp: { one: 'DSCP', many: 'DSCP values', by: 'DSCP value' },
    vpn: { one: 'VPN', many: 'use of VPN', by: 'use of a VPN' },
    inside: { one: 'Internal network', many: 'internal and external networks', by: 'internal or external network' },
    mediaBypass: { one: 'Media bypass', many: 'media bypass', by: 'media bypass' },
  },
};

/** Abbreviations stay as they are. */
function lowered(label: string): string {
  return /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);
}
