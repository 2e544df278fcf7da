import { de as account } from './account.js';
import { de as administration } from './administration.js';
import { de as alerts } from './alerts.js';
import { de as api } from './api.js';
import { de as app } from './app.js';
import { de as call } from './call.js';
import { de as capacity } from './capacity.js';
import { de as captures } from './captures.js';
import { de as comparison } from './comparison.js';
import { de as feeds } from './feeds.js';
import { de as ladder } from './ladder.js';
import { de as live } from './live.js';
import { de as meet } from './meet.js';
import { de as notices } from './notices.js';
import { de as parts } from './parts.js';
import { de as people } from './people.js';
import { de as quality } from './quality.js';
import { de as search } from './search.js';
import { de as signIn } from './sign-in.js';
import { de as start } from './start.js';
import { de as surroundings } from './surroundings.js';
import { de as suspects } from './suspects.js';
import { de as webInterface } from './web-interface.js';

/** The German texts by the folders of src. */
export const german = {
  account,
  administration,
  alerts,
  api,
  app,
  call,
  capacity,
  captures,
  comparison,
  feeds,
  ladder,
  live,
  meet,
  notices,
  parts,
  people,
  quality,
  search,
  signIn,
  start,
  surroundings,
  suspects,
  webInterface,
};
