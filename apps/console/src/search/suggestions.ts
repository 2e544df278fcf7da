import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Suggestions } from '../api/answers.js';
import { SURROUNDING_FIELDS } from '../api/catalogue.js';
import { useServices } from '../services/services.js';
import type { Condition } from './conditions.js';
import { searchField, valueWord, type TextName } from './fields.js';

/** Fields whose values are suggested for any typed text, those of people first. */
const SEARCHED = [
  'user',
  'site',
  ...SURROUNDING_FIELDS,
  'hop',
  'userAgent',
  'codec',
] as const satisfies readonly TextName[];
/** Fields whose values have words on the page. */
const WORDED = ['cause', 'audio'] as const satisfies readonly TextName[];
const EACH = 3;
const SHORTEST_WORD = 3;
const WAIT_MS = 200;
/** As in the query API. */
const LONGEST = 255;

/** An address or the beginning of one, with or without a prefix length. */
const IP = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f:.]{2,45}:[\da-f:.]{0,45})(?:\/\d{1,3})?$/i;
const STATUS = /^[1-6]\d\d$/;
const WITHOUT_BLANKS = /^\S{6,}$/;

/** What a typed text can be by its form alone. */
export function typedTextReadings(typed: string): readonly Condition[] {
  const text = typed.trim();
  if (text.length > LONGEST) return [];
  return [
    ...(IP.test(text) ? [{ name: 'address', value: text }] : []),
    ...(STATUS.test(text) ? [{ name: 'errorCode', value: text }] : []),
    ...(WITHOUT_BLANKS.test(text) ? [{ name: 'callId', value: text }] : []),
  ];
}

/** Values that have a word with this part, like "echo": they are known without the server. */
export function wordedValues(typed: string): readonly Condition[] {
  const part = typed.trim().toLowerCase();
  if (part.length < SHORTEST_WORD) return [];
  return WORDED.flatMap((name) => {
    const known = searchField(name).values ?? [];
    const found = known.filter((value) => valueWord(known, value).toLowerCase().includes(part));
    return found.slice(0, EACH).map((value) => ({ name, value }));
  });
}

/** Values of the newest calls with this part, each as a condition. Of all fields in one request. */
export function useSuggestions(typed: string, fields: readonly TextName[] = SEARCHED): readonly Condition[] {
  const { api } = useServices();
  const text = useSettled(typed.trim());
  const known = fields.filter((field) => searchField(field).suggested);
  const { data = [] } = useQuery({
    queryKey: ['suggestions', known, text],
    enabled: text.length >= 2 && text.length <= LONGEST && known.length > 0,
    queryFn: async ({ signal }) => {
      const limit = known.length === 1 ? 3 * EACH : EACH;
      const found = await api.get<Suggestions>('/api/suggest', { field: known, q: text, limit }, signal);
      return found.items.map((item) => ({ name: item.field, value: item.text }));
    },
  });
  return text === typed.trim() ? data : [];
}

/** The text as soon as it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, settle] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => settle(text), WAIT_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
