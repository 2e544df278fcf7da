import { loadProfile } from '@ringdown/vendor-profile';
import { relative } from 'node:path';
import type { DemoCall } from './demo-call.js';

type Facts = Pick<DemoCall, 'origin' | 'vendorProfile' | 'users' | 'certificate'>;

/** Commands that work unchanged on the machine of the system; no password is shown. `node`: the program that they read JSON with. */
export function whatNext({ origin, vendorProfile, users, certificate }: Facts, node = nodeProgram()): string {
  if (users === undefined)
    return `\nThe calls are at /api/calls of the web interface, for a user with the role "operator".\n`;
  const curl = `curl -s${certificate === undefined ? '' : ` --cacert ${fileArgument(certificate)}`}`;
  const [tokenPath = ''] = loadProfile(vendorProfile).web.paths.token;
  const read = 'JSON.parse(fs.readFileSync(0))';
  const request = (path: string, curlHere = curl): string =>
    `${curlHere} -H "Authorization: Bearer $TOKEN" '${origin}/api${path}'`;
  return `
The calls are in the console: ${origin}/console/
Query them as an operator: first get a token, then the newest calls, the bad ones, those in progress, the front ends, and
every change as it happens (while the demo runs again):

  TOKEN=$(${node} -p '(u => new URLSearchParams({grant_type: "password", Username: u.username, password: u.password}))(
    ${read}.find(u => u.roles.includes("operator"))).toString()' < ${fileArgument(users)} |
    ${curl} -d @- ${origin}${tokenPath} | ${node} -p '${read}.access_token')

  ${request('/calls?limit=5')}
  ${request('/calls?verdict=bad')}
  ${request('/calls?state=active')}
  ${request('/front-ends')}
  ${request('/calls/stream', `${curl} -N`)}
`;
}

/** A machine with a package need not have one on its PATH. */
function nodeProgram(): string {
  return process.env['RINGDOWN_COMMAND'] === undefined ? 'node' : quoted(process.execPath);
}

/** Relative if the file is below the current folder. */
function fileArgument(path: string): string {
  const short = relative(process.cwd(), path);
  return quoted(short.startsWith('..') ? path : short);
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
