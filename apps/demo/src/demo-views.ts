import { answerItems, type OperatorApi } from './operator-api.js';

const DAY_SECONDS = 86_400;

/** Alert rules of the demo: one for each part of its story, and one for the calls that are bad now. */
const ALERT_RULES = [
  {
    name: 'Demo: bad calls on one access point',
    measure: 'badCalls',
    search: { ssid: 'Corp' },
    by: 'bssid',
    windowSeconds: DAY_SECONDS,
    minimumCalls: 20,
    limit: 0.12,
    severity: 'warning',
  },
  {
    name: 'Demo: errors of a trunk',
    measure: 'serverErrors',
    by: 'trunk',
    windowSeconds: DAY_SECONDS,
    minimumCalls: 10,
    limit: 0.1,
    severity: 'critical',
  },
  {
    name: 'Demo: too many bad calls',
    measure: 'badCalls',
    windowSeconds: 900,
    minimumCalls: 20,
    limit: 0.1,
    severity: 'warning',
  },
] as const;

const SEARCHES = [
  { name: 'Demo: bad calls on Wi-Fi', shared: true, parameters: { verdict: 'bad', connection: 'wifi' } },
  { name: 'Demo: calls that a trunk rejected', shared: true, parameters: { endCode: '503' } },
] as const;

/** Creates the alert rules and saved searches of the demo that are not there. */
export async function createViews(api: OperatorApi): Promise<void> {
  await createMissing(api, '/api/alert-rules', ALERT_RULES);
  await createMissing(api, '/api/searches', SEARCHES);
}

async function createMissing(
  api: OperatorApi,
  path: string,
  wanted: readonly { readonly name: string }[],
): Promise<void> {
  const known = new Set(answerItems(await api.get(path), 'items').map(({ name }) => name));
  for (const each of wanted) if (!known.has(each.name)) await api.post(path, each);
}
