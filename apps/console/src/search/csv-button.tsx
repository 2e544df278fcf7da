import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { serverClock } from '../api/server-clock.js';
import { useServices } from '../services/services.js';
import { saveFile } from '../parts/save-file.js';
import { texts } from '../texts/search.js';
import { filterQuery, type Filter } from './filter.js';

/** Downloads all matching calls as CSV, not only those of this page. */
export function CsvButton({ filter }: { readonly filter: Filter }): ReactNode {
  const { api } = useServices();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const query = filterQuery({ ...filter, cursor: '' }, serverClock.now());
      const answer = await api.open('/api/calls.csv', { query });
      saveFile(`calls-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.csv`, await answer.blob());
    },
  });
  return (
    <>
      {error !== null && <span role="alert">{error.message}</span>}
      <button className="button" type="button" aria-disabled={isPending} onClick={() => !isPending && mutate()}>
        {isPending ? texts.exporting : texts.csv}
      </button>
    </>
  );
}
