// What this chat may do, as a short document: in words, tool by tool, what changed, what was granted, the snapshot.
import { useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import type { AuthorityChange } from '../../../src-main/contract/authority.ts';
import type { WireError } from '../../../src-main/contract/errors.ts';
import type { AuthorityView } from '../../../src-main/contract/session.ts';
import { wireErrorOf } from '../../bridge/bridge-error.ts';
import type { Client } from '../../bridge/client.ts';
import type { ChatState } from '../../state/chat-state.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { CopyButton } from '../../ui/markdown/code-block.tsx';
import { LongText } from '../../ui/text/long-text.tsx';
import { InlineCode, VisibleText } from '../../ui/verbatim/verbatim.tsx';
import { describeAuthority, describeChange, MODE_WORDS, shortDigest } from './describe-authority.ts';
import { ToolRows } from './tool-rows.tsx';
import styles from './panel.module.css';

export interface AuthorityTabProps {
  readonly chat: ChatState;
  readonly client: Client;
  readonly shownPath: string;
  /** What is said of the project's own instructions. */
  readonly instructions: ReactNode;
}

function list(items: readonly string[]): ReactNode {
  return items.map((item, index) => (
    <span key={item}>
      {index > 0 && (index === items.length - 1 ? ' and ' : ', ')}
      <b>{item}</b>
    </span>
  ));
}

function Summary({ authority, shownPath }: { authority: AuthorityView; shownPath: string }): ReactElement {
  const { may, mayNot } = describeAuthority(authority);
  return (
    <p className={styles['words']}>
      In{' '}
      <b dir="ltr">
        <VisibleText text={shownPath} oneLine />
      </b>{' '}
      this chat may {may.length === 0 && <b>talk only</b>}
      {may.map(({ what, how }, index) => (
        <span key={what.join()}>
          {index > 0 && '; '}
          {list(what)}
          {how !== '' && `, ${how}`}
        </span>
      ))}
      .{mayNot.length > 0 && <> It may not {list(mayNot)}.</>}
    </p>
  );
}

function Changes({ title, changes }: { title: string; changes: readonly AuthorityChange[] }): ReactElement {
  return (
    <section className={styles['box']} aria-label={title}>
      <h3 className={styles['title']}>{title}</h3>
      <ul>
        {changes.map((change) => (
          <li key={`${change.change} ${change.part}`} className={styles['change']}>
            <VisibleText text={describeChange(change)} oneLine />
            <span className={styles['small']}>{change.widens ? 'allows more' : 'allows no more'}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Grants({ authority }: { authority: AuthorityView }): ReactElement | null {
  const { grants, lapsedGrants } = authority;
  if (grants.length === 0 && lapsedGrants.length === 0) return null;
  return (
    <section aria-label="Allowed for this chat">
      <h3 className={styles['title']}>Allowed for this chat</h3>
      <ul className={styles['grants']}>
        {grants.map((grant) => (
          <li key={`${grant.tool} ${grant.covers}`}>
            <InlineCode text={grant.covers} /> <span className={styles['small']}>{grant.describes}</span>
          </li>
        ))}
        {lapsedGrants.map((grant) => (
          <li key={`lapsed ${grant.tool} ${grant.covers}`} className={styles['lapsed']}>
            <InlineCode text={grant.covers} />{' '}
            <span className={styles['small']}>ended when Warrant closed; it asks again</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What the project's own file takes away. */
function ProjectFile({ authority }: { authority: AuthorityView }): ReactElement | null {
  const { projectFile } = authority;
  if (!projectFile) return null;
  return (
    <section aria-label="Narrowed by the project">
      <h3 className={styles['title']}>
        Narrowed by <InlineCode text=".warrant.json" />
      </h3>
      {projectFile.problem !== null && <ErrorNote>{projectFile.problem}</ErrorNote>}
      <ul className={styles['grants']}>
        {projectFile.lines.map((line) => (
          <li key={line}>
            <InlineCode text={line} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Snapshot({ authority }: { authority: AuthorityView }): ReactElement {
  const [open, setOpen] = useState(false);
  const { snapshot, digest, generation, drift } = authority;
  const { workspace } = snapshot;
  const json = open ? JSON.stringify(snapshot, null, 2) : '';
  return (
    <section aria-label="Snapshot">
      <p className={styles['id']}>
        <VisibleText text={workspace.path} oneLine /> · device {workspace.dev}, inode {workspace.ino}
        <br />
        snapshot {generation} · sha256 <span title={digest}>{shortDigest(digest)} …</span> ·{' '}
        {drift.length === 0 ? 'unchanged since last time' : 'changed since last time'}
      </p>
      <div className={styles['snapshot-acts']}>
        <Button size="small" kind="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Hide the exact snapshot' : 'Show the exact snapshot'}
        </Button>
        {open && <CopyButton text={json} label="Copy the snapshot" />}
      </div>
      {open && (
        <div className={styles['json']} tabIndex={0} role="region" aria-label="Exact snapshot">
          <p className={styles['id']}>{digest}</p>
          <LongText text={json} label="Snapshot as JSON" verbatim />
        </div>
      )}
    </section>
  );
}

/** See the file's header. */
export function AuthorityTab({ chat, client, shownPath, instructions }: AuthorityTabProps): ReactElement {
  const { authority, sessionId, summary } = chat;
  const readOnly = chat.heldBy !== null || chat.folderProblem !== null;
  const [error, setError] = useState<WireError | null>(null);
  const [busy, setBusy] = useState(false);
  const act = (work: Promise<unknown>): void => {
    setError(null);
    setBusy(true);
    work.catch((caught: unknown) => setError(wireErrorOf(caught))).finally(() => setBusy(false));
  };
  return (
    <div className={styles['tab']}>
      <h2 className="visually-hidden">Authority</h2>
      <Summary authority={authority} shownPath={shownPath} />
      <p className={styles['words']}>{MODE_WORDS[summary.mode]}</p>
      {error !== null && <ErrorNote>{error.message}</ErrorNote>}
      {authority.drift.length > 0 && (
        <Changes title="Changed since this chat was last open" changes={authority.drift} />
      )}
      {authority.offer.length > 0 && (
        <div>
          <Changes title="Your settings now differ from this chat" changes={authority.offer} />
          <Button
            size="small"
            busy={busy}
            disabled={readOnly}
            onClick={() => act(client.sessions.updateAuthority({ sessionId }))}
          >
            Update this chat’s authority
          </Button>
        </div>
      )}
      <ToolRows
        authority={authority}
        readOnly={readOnly}
        onTools={(tools) => act(client.sessions.setEnabledTools({ sessionId, tools }))}
        onConfinement={(on) => act(client.sessions.setConfinement({ sessionId, on }))}
      />
      <p className={styles['words']}>
        Secrets (<b>.env</b>, keys, <b>.ssh</b>) and anything outside the folder ask every time, whatever is set here.
      </p>
      <Grants authority={authority} />
      <ProjectFile authority={authority} />
      {instructions}
      <Snapshot authority={authority} />
    </div>
  );
}
