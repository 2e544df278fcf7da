// One running system for all attacks that need no settings of their own: each file holds the tests of one thing.
import './default-settings/https-port.js';
import './default-settings/browsers.js';
import './default-settings/accounts.js';
