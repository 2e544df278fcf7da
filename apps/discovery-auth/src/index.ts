export { discoveryAuth } from './service.js';
export { discoveryAuthSettings } from './settings.js';
export { runPeopleCommand } from './people-command/people-command.js';
