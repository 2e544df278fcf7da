import { nodeErrorCode } from '@ringdown/errors';
import { assertPortFree } from '../../host/ports.js';
import type { Check } from '../check.js';
import { ok, problem, type Finding } from '../finding.js';
import { programAtPort } from '../read/port-owner.js';
import type { System } from '../system.js';

export interface PortFacts {
  readonly setting: string;
  readonly port: number;
  readonly host: string;
  readonly hostSetting: string;
  /** Why it cannot be opened; undefined if it can. */
  readonly code?: string;
  /** The program that has it, as far as this user may see it. */
  readonly takenBy?: { readonly pid: number; readonly name: string };
}

/** `own`: the process of the system that runs. */
export function portFindings(ports: readonly PortFacts[], own: number | undefined): readonly Finding[] {
  const twice = ports.find((each, index) => ports.slice(0, index).some(({ port }) => port === each.port));
  if (twice !== undefined)
    return [
      problem(`two settings are port ${twice.port}, ${twice.setting} is one`, `${twice.setting}=${twice.port + 1}`),
    ];
  const found = ports.flatMap((each) => portFinding(each, own));
  return found.length > 0
    ? found
    : [ok(`${ports.map(({ port }) => port).join(', ')}: ${own === undefined ? 'free' : 'open'}`)];
}

function portFinding(
  { setting, port, host, hostSetting, code, takenBy }: PortFacts,
  own: number | undefined,
): Finding[] {
  if (code === undefined) return [];
  if (code === 'EADDRINUSE') {
    // Without rights of root, programs of other users are not seen; while ours runs, it is the one.
    if (own !== undefined && (takenBy === undefined || takenBy.pid === own)) return [];
    const whom = takenBy === undefined ? 'another program' : `${takenBy.name} (process ${takenBy.pid})`;
    return [
      problem(
        `port ${port} is in use by ${whom}`,
        `end it, or set ${setting} to another port: ${setting}=${port + 1_000}`,
      ),
    ];
  }
  if (code === 'EACCES')
    return [
      problem(
        `this user may not open port ${port}`,
        `${setting}=${port + 8_000}, or start it by the unit of the package, which has CAP_NET_BIND_SERVICE for ports below 1024`,
      ),
    ];
  return [
    problem(`port ${port} cannot be opened on ${host}: ${code}`, `set ${hostSetting} to an address of this machine`),
  ];
}

export const PORTS: Check = {
  name: 'ports',
  looksAt:
    'a port that another program has (and which), one below 1024 without the right to open it, an address that is not here',
  examine: async (system) => portFindings(await portFacts(system), system.running?.pid),
};

async function portFacts({ settings, feed }: System): Promise<readonly PortFacts[]> {
  const web = { host: settings.listenHost, hostSetting: 'LISTEN_HOST' };
  const ofFeed = { host: feed.host, hostSetting: 'COLLECTOR_HOST' };
  const wanted = [
    { setting: 'PORT', port: settings.port, ...web },
    { setting: 'HTTP_PORT', port: settings.httpPort, ...web },
    { setting: 'COLLECTOR_PORT', port: feed.httpPort, ...ofFeed },
    { setting: 'COLLECTOR_HTTPS_PORT', port: feed.httpsPort, ...ofFeed },
  ];
  return Promise.all(
    wanted.flatMap(({ port, ...rest }) => (port === undefined || port === 0 ? [] : [factsOf({ port, ...rest })])),
  );
}

async function factsOf(wanted: Omit<PortFacts, 'code' | 'takenBy'>): Promise<PortFacts> {
  try {
    await assertPortFree(wanted.port, wanted, wanted.setting);
    return wanted;
  } catch (error) {
    const code = nodeErrorCode(error instanceof Error ? error.cause : error) ?? 'unknown reason';
    const takenBy = code === 'EADDRINUSE' ? programAtPort(wanted.port) : undefined;
    return { ...wanted, code, ...(takenBy !== undefined && { takenBy }) };
  }
}
