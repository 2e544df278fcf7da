import type { Environment } from './read-settings.js';

/** The name of the command that an installed package has put on the PATH; its launcher sets it. */
const VARIABLE = 'RINGDOWN_COMMAND';
/** What npm knows without `run`. */
const NPM_ITSELF = ['start', 'stop', 'restart'];

/**
 * A command as operators type it, for messages: `npm run backup -- FOLDER` in a checkout, `ringdown backup FOLDER` where a package is
 * installed. `args`: what follows the name of the command.
 */
export function ownCommand(name: string, args = '', env: Environment = process.env): string {
  const program = env[VARIABLE];
  if (program !== undefined && program !== '') return [program, name, args].filter((word) => word !== '').join(' ');
  const command = NPM_ITSELF.includes(name) ? `npm ${name}` : `npm run ${name}`;
  if (args === '') return command;
  // npm passes on only what follows two dashes.
  return args.startsWith('[') ? `${command} [-- ${args.slice(1)}` : `${command} -- ${args}`;
}
