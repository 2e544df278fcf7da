import { findProgram } from '@ringdown/testing';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PhonePlace } from './phone-network.js';

const ADVICE = 'these tests need a phone that redirects calls. Install it (Debian: apt-get install sip-tester)';
export const REDIRECT_PORT = 5_070;

/** baresip 1.0 cannot redirect: a sipp that answers each INVITE with 302. It ends with its namespace. */
export function startRedirect(place: PhonePlace, to: string, folder: string): void {
  const scenario = join(folder, 'redirect.xml');
  writeFileSync(scenario, scenarioOf(to));
  const listens = ['-i', place.address, '-p', String(REDIRECT_PORT), '-nostdin'];
  const child = place.namespace.spawn(findProgram('sipp', ADVICE), ['-sf', scenario, ...listens], folder);
  child.stdout.resume();
  child.stderr.resume();
}

function scenarioOf(to: string): string {
  return `<?xml version="1.0" encoding="ISO-8859-1" ?>
<scenario name="redirect">
  <recv request="INVITE"/>
  <send><![CDATA[
SIP/2.0 302 Moved Temporarily
[last_Via:]
[last_From:]
[last_To:];tag=[call_number]moved
[last_Call-ID:]
[last_CSeq:]
Contact: <${to}>
Content-Length: 0

]]></send>
  <recv request="ACK"/>
</scenario>
`;
}
