import { ownCommand } from './own-command.js';

describe('a command in a message', () => {
  it.each([
    ['start', '', 'npm start', 'ringdown start'],
    ['status', '', 'npm run status', 'ringdown status'],
    ['backup', '[FOLDER]', 'npm run backup [-- FOLDER]', 'ringdown backup [FOLDER]'],
    ['restore', 'FOLDER --check', 'npm run restore -- FOLDER --check', 'ringdown restore FOLDER --check'],
  ])('%s %s is one of npm in a checkout, and of the launcher in a package', (name, args, npm, packaged) => {
    expect(ownCommand(name, args, {})).toBe(npm);
    expect(ownCommand(name, args, { RINGDOWN_COMMAND: '' })).toBe(npm);
    expect(ownCommand(name, args, { RINGDOWN_COMMAND: 'ringdown' })).toBe(packaged);
  });
});
