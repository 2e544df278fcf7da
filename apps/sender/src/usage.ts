import { EXIT_CODES } from '@ringdown/feed-client/command';
import { readFileSync } from 'node:fs';

export const COMMANDS = ['run', 'generate', 'replay', 'status'] as const;

export type CommandName = (typeof COMMANDS)[number];

const OPTIONS: Readonly<Record<CommandName, string>> = {
  run: `  run           receives what SIP front ends capture (HEP) and posts records of their calls
    --to URL          the collector (default: SUBMIT_URI)
`,
  generate: `  generate      sends generated calls, for load tests
    --to URL          the collector (default http://localhost:8080)
    --calls N         how many calls (default 100)
    --rate R          calls a second; 0: as fast as the collector answers (default 10)
    --front-ends N    how many front ends report (default 2)
    --seed N          seed of the generated calls (default 1)
    --loss P          share of the records that are never sent, 0 to 1 (default 0)
    --duplicates P    share of the records that are sent twice (default 0)
    --reordered P     share of the records that are sent late (default 0)
    --json            no progress, and the summary as one line of JSON
`,
  replay: `  replay FILE…  sends what files contain: packet captures (pcap, pcapng), text logs of a sender (its input or output)
                  -: what another program captures while it runs: tcpdump -U -w - | ringdown-sender replay -
    --to URL          the collector (default http://localhost:8080)
    --speed N         factor of the original speed; 0: as fast as possible (default 1)
    --captures-only   rejects text logs, whose records name any front end
    --json            no progress, and the summary as one line of JSON
    --json-progress   the same, and the progress as lines of JSON before it
`,
  status: `  status        shows the counters of the sender that runs on this machine
    --json            as one line of JSON
`,
};

const SETTINGS: Readonly<Record<CommandName, string>> = {
  run: 'Settings come from the environment: docs/settings.md, those of "sender".\n',
  generate: 'Settings come from the environment: RESUME_AFTER_SECONDS, VENDOR_PROFILE, SUBMIT_CA_FILE …\n',
  replay:
    'Settings come from the environment: FRONT_END, OUTPUT_SCHEMA, LEG_HEADERS, HIDE_PII, OBFUSCATION_SEED,\n' +
    'TRACE, TRACE_RTCP, RESUME_AFTER_SECONDS, VENDOR_PROFILE, SUBMIT_CA_FILE …\n',
  status: 'Settings come from the environment: INNER_HOST, INNER_PORT.\n',
};

/** Help for the program, or for one of its commands. */
export function usage(about?: CommandName): string {
  if (about !== undefined) return `${OPTIONS[about]}\n${EXIT_CODES}${SETTINGS[about]}`;
  const commands = COMMANDS.map((command) => OPTIONS[command]).join('\n');
  const settings = 'Settings come from the environment (docs/settings.md). --version prints the version.\n';
  return `ringdown-sender: posts call records to a collector\n\n${commands}\n${EXIT_CODES}${settings}`;
}

/** Points to the help after a wrong command line. */
export function hint(about: string | undefined): string {
  const command = COMMANDS.find((known) => known === about);
  return `see ringdown-sender ${command === undefined ? '' : `${command} `}--help\n`;
}

export function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const isKnown = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return isKnown ? String(manifest.version) : 'unknown';
}
