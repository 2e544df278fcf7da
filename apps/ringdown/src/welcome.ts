import { readFirstUsers, type FirstUser } from '@ringdown/directory';

export interface WelcomeFacts {
  readonly origin: string;
  readonly collectorPort: number;
  readonly tokenPath: string;
  /** File with the first users; undefined when the operator brought a people file or a directory server. */
  readonly firstUsersFile: string | undefined;
  readonly showPasswords: boolean;
  /** What a client has to trust; undefined for a certificate of the operator's own. */
  readonly certificateFile: string | undefined;
}

/** What `npm start` says when everything runs: where it is, who may sign in, what to try next. */
export async function welcome(facts: WelcomeFacts): Promise<string> {
  const users = facts.firstUsersFile === undefined ? [] : await readFirstUsers(facts.firstUsersFile);
  const trust = facts.certificateFile === undefined ? '' : ` --cacert ${facts.certificateFile}`;
  const lines = [
    '',
    'Ringdown is running. Ctrl-C stops it.',
    '',
    `  Web interface and API   ${facts.origin}/`,
    `  Diagnostics feed        http://localhost:${facts.collectorPort}/`,
    '',
    ...userLines(users, facts),
    'Try next, in another terminal:',
    '',
    '  npm run demo',
    `  ${signInCommand(users, facts, trust)}`,
    '',
  ];
  return `${lines.join('\n')}\n`;
}

function userLines(users: readonly FirstUser[], { showPasswords, firstUsersFile }: WelcomeFacts): string[] {
  if (users.length === 0) return [];
  if (!showPasswords) return [`  Users and passwords     ${firstUsersFile}`, ''];
  const rows = users.map(({ username, password, roles }) => `    ${username}  ${password}  (${roles.join(', ')})`);
  return [`  First users (kept in ${firstUsersFile}):`, ...rows, ''];
}

function signInCommand(users: readonly FirstUser[], facts: WelcomeFacts, trust: string): string {
  const operator = users.find(({ roles }) => roles.includes('operator'));
  const name = operator?.username ?? 'NAME';
  const password = facts.showPasswords && operator !== undefined ? operator.password : 'PASSWORD';
  return `curl${trust} -d grant_type=password -d Username=${name} -d password=${password} ${facts.origin}${facts.tokenPath}`;
}
