import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Redirect } from 'wouter';
import type { FrontEnd } from '../api/answers.js';
import type { Page } from '../api/pages.js';
import { LoadingNote } from '../parts/notes.js';
import { useServices } from '../services/services.js';
import type { View } from './views.js';

/** The usual view; the start page for those who may connect front ends, while none has sent a record. */
export function FirstView({ usual }: { readonly usual: View }): ReactNode {
  const { api } = useServices();
  const isOperator = usual.needs === 'operator';
  const { data, isPending } = useQuery({
    queryKey: ['any-front-end'],
    queryFn: ({ signal }) => api.get<Page<FrontEnd>>('/api/front-ends', { limit: 1 }, signal),
    enabled: isOperator,
    // The usual view reports a server that is away, and retries by itself.
    retry: false,
  });
  if (isOperator && isPending) return <LoadingNote />;
  return <Redirect to={data?.items.length === 0 ? '/start' : usual.path} replace />;
}
