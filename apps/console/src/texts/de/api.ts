import type { en } from '../en/api.js';

export const de: typeof en = {
  notResponding: 'Der Server antwortet nicht.',
  respondedWith: (status) => `Der Server hat mit ${status} geantwortet.`,
  streamClosed: 'Der Server hat die Verbindung beendet.',
};
