import { setting } from '@ringdown/settings';
import { DEFAULT_LEG_HEADERS, parseLegHeader, type LegHeader } from '@ringdown/call-capture';

const names = setting.list('LEG_HEADERS', {
  task: 'input',
  about: 'Headers that join the legs of a call: names, or a name and the text around the id, `X-Trace:call=*;`',
});

export const legHeadersSetting: setting.Setting<readonly LegHeader[]> = {
  ...names,
  allowed: 'comma-separated names of headers',
  fallback: DEFAULT_LEG_HEADERS,
  shownDefault: 'ms-conversation-id, X-CID, X-Call-ID, Session-ID',
  required: false,
  parse: (text) =>
    names.parse(text).map((item) => {
      const parsed = parseLegHeader(item);
      if (!parsed) throw new Error('must be names of headers, or a name and a text with one "*", like X-Trace:call=*;');
      return parsed;
    }),
};
