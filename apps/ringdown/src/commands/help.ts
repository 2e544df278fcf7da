import { COMMANDS, type Command } from './table.js';
import type { Installation } from './installation.js';

const WIDTH = 32;

export function helpText({ envFile, dataDir }: Pick<Installation, 'envFile' | 'dataDir'>): string {
  const rows = COMMANDS.map((command) => `  ${callText(command).padEnd(WIDTH)} ${command.about}`);
  return `Usage: ringdown COMMAND [arguments]

${rows.join('\n')}

"ringdown COMMAND --help" says more of those that have arguments.
Settings are lines NAME=value in ${envFile}, and variables of the environment, which win. Data are in ${dataDir} (DATA_DIR).
`;
}

function callText({ name, args }: Command): string {
  return args === '' ? name : `${name} ${args}`;
}

/** The manual page, as roff (man(7)). */
export function manualPage(version: string): string {
  const commands = COMMANDS.map(
    ({ name, args, about }) =>
      `.TP\n.B ${escaped(name)}${args === '' ? '' : `\n.RI ${escaped(args)}`}\n${escaped(about)}`,
  );
  return `.TH RINGDOWN 1 "" "Ringdown ${escaped(version)}" "Ringdown"
.SH NAME
ringdown \\- UC client web interface and call diagnostics
.SH SYNOPSIS
.B ringdown
.I COMMAND
.RI [ arguments ]
.SH COMMANDS
${commands.join('\n')}
.SH EXIT STATUS
0: done. 1: failed. 2: wrong command line or settings, or the data are of a newer version. 3: not running (status).
.SH ENVIRONMENT
Settings are variables, or lines NAME=value in a file; RINGDOWN_ENV_FILE names another file. DATA_DIR is the folder of all data.
.SH SEE ALSO
The guides in docs/guides of the folder of the package, and https://localhost:8443/console/ of a system that runs.
`;
}

/** Hyphens that are typed, and no requests of roff at the beginning of a line. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/, '\\&$1');
}
