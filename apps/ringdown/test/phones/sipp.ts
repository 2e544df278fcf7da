import { eventually } from '@ringdown/testing/eventually';
import { findProgram } from '@ringdown/testing/find-program';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PhonePlace } from './phone-network.js';

const ADVICE =
  'these tests need a SIP endpoint that follows a scenario. Install it (Debian: apt-get install sip-tester)';

export interface Scenario {
  readonly name: string;
  /** Port of its SIP. */
  readonly port: number;
  /** Elements of a scenario of sipp. */
  readonly steps: readonly string[];
}

/** Starts a sipp for what baresip cannot do, and waits until it listens at its port, or at another one. It ends with its namespace. */
export async function startSipp(
  { namespace, address }: PhonePlace,
  folder: string,
  scenario: Scenario,
  {
    options = [],
    listensAt = scenario.port,
  }: { readonly options?: readonly string[]; readonly listensAt?: number } = {},
): Promise<void> {
  const file = join(folder, `${scenario.name}.xml`);
  writeFileSync(file, scenarioFile(scenario));
  const fixed = ['-sf', file, '-i', address, '-p', String(scenario.port), '-nostdin'];
  const child = namespace.spawn(findProgram('sipp', ADVICE), [...fixed, ...options], folder);
  child.stdout.resume();
  child.stderr.resume();
  await eventually(`sipp to listen at ${listensAt}`, async () => {
    if (child.exitCode !== null) throw new Error(`sipp ended with ${child.exitCode}`);
    return (await namespace.run('ss', '-Hlntu', `sport = :${listensAt}`)) !== '';
  });
}

/** Sends a SIP message, or a command to the other sipp (`sendCmd`). */
export function sending(element: 'send' | 'sendCmd', lines: readonly string[]): string {
  return `<${element}><![CDATA[\n${lines.join('\n')}\n]]></${element}>`;
}

function scenarioFile({ name, steps }: Scenario): string {
  return `<?xml version="1.0" encoding="ISO-8859-1" ?>\n<scenario name="${name}">\n${steps.join('\n')}\n</scenario>\n`;
}
