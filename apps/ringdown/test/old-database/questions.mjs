const LISTS = [
  '',
  'state=ended',
  'verdict=bad',
  'not.verdict=good',
  'codec=PCMU,SIREN',
  'endReason=ended&endedBy=caller',
  'minLoss=0.05',
  'maxMos=4.2&maxJitter=20',
  'minDurationSeconds=100&sort=longest',
  'address=10.0.0.0/8',
  'q=example%20user',
  'sort=-loss',
  'sort=mos',
];
const STATISTICS = ['metrics?metric=loss', 'metrics?metric=mos&by=codec', 'streams?by=codec', 'load?'];
const MONTH = 'bucketSeconds=86400&from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z';

/** What is compared before and after the upgrade: requests of an operator who sees users. */
export function questionsAbout(callIds) {
  const calls = callIds.map((callId) => `/api/calls/${encodeURIComponent(callId)}`);
  const both = [
    ...LISTS.slice(0, 6).map((filter) => `/api/calls?limit=200&${filter}`),
    ...calls,
    '/api/calls.csv?sort=oldest',
    '/api/searches',
    '/api/alert-rules',
  ];
  return [
    ...both,
    ...both.map(hidden),
    ...LISTS.slice(6).map((filter) => `/api/calls?limit=200&${filter}`),
    ...calls.flatMap((path) => [`${path}/metrics`, `${path}/timeline`]),
    ...STATISTICS.map((path) => `/api/statistics/${path}&${MONTH}`.replace('?&', '?')),
    ...['codec', 'device', 'driver', 'ssid', 'bssid', 'trunk'].map((field) => `/api/suggest?field=${field}`),
    '/api/alerts?limit=200',
    '/api/people',
  ];
}

function hidden(path) {
  return `${path}${path.includes('?') ? '&' : '?'}identities=hidden`;
}
