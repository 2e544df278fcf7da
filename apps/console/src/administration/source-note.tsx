import type { ReactNode } from 'react';
import type { PeoplePage } from '../api/answers.js';
import forms from '../parts/form.module.css';

/** Why people cannot be changed here. */
export function SourceNote({ source }: { readonly source: Exclude<PeoplePage['source'], 'server'> }): ReactNode {
  return (
    <p className={`card ${forms['note']}`} role="note">
      {source === 'file'
        ? 'People are in a file (PEOPLE_FILE), which this server only reads: change them there.'
        : 'People are in the directory of your organisation (DIRECTORY_URL): change them there.'}
    </p>
  );
}
