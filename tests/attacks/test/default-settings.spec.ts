// One running system for all attacks that need no settings of their own: each file contains the tests of one subject.
import './default-settings/https-port.js';
import './default-settings/browsers.js';
import './default-settings/accounts.js';
import './default-settings/unknown-names.js';
