// One question to the person, read from top to bottom as one sentence, then the bytes, the facts and dangers, the answers.
// Invariant: it can be allowed only by its own controls, after all of it was on screen; it shows bytes, not descriptions.
import { useId, useState } from 'react';
import type { ReactElement, Ref } from 'react';
import { FileWarning, FolderOutput, Globe, KeyRound, ShieldAlert, ShieldOff } from 'lucide-react';
import type { EffectKind } from '../../../src-main/contract/authority.ts';
import type { WireError } from '../../../src-main/contract/errors.ts';
import type { Approval } from '../../../src-main/contract/session.ts';
import { wireErrorOf } from '../../bridge/bridge-error.ts';
import { useApp } from '../../state/window-context.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { InlineCode, VisibleText } from '../../ui/verbatim/verbatim.tsx';
import { CardContent } from './card-content.tsx';
import { CardDenial } from './card-denial.tsx';
import { CardEditor } from './card-editor.tsx';
import { whyNotYet } from './card-state.ts';
import { describeApproval, grantLabel, grantNote } from './describe-approval.ts';
import type { ApprovalWords } from './describe-approval.ts';
import { useCard } from './use-card.ts';
import styles from './approval-card.module.css';

/** The person's answer to one approval. */
export interface Answer {
  readonly answer: 'allow-once' | 'allow-session' | 'allow-always' | 'deny';
  readonly reason?: string;
  readonly changedArguments?: string;
}

export interface ApprovalCardProps {
  readonly approval: Approval;
  /** Place among those that wait, from 1. */
  readonly place: number;
  readonly count: number;
  /** Rejects with a BridgeError when the answer did not count. */
  readonly onAnswer: (answer: Answer) => Promise<void>;
  readonly onStep: (by: 1 | -1) => void;
  readonly ref?: Ref<HTMLDivElement>;
}

const ICONS: Partial<Record<EffectKind, typeof Globe>> = {
  'read-secret': KeyRound,
  'read-outside': FolderOutput,
  'write-outside': FolderOutput,
  'write-protected': ShieldAlert,
  'command-unconfined': ShieldOff,
  'command-unconfinable': ShieldOff,
  'command-network': Globe,
  network: Globe,
};

function Sentence({ approval, words, id }: { approval: Approval; words: ApprovalWords; id: string }): ReactElement {
  return (
    <p id={id} className={styles['sentence']}>
      Warrant wants to <span className={styles['verb']}>{words.verb}</span>{' '}
      {words.object !== '' && (
        <>
          <InlineCode text={words.object} strong />{' '}
        </>
      )}
      in{' '}
      <b className={styles['folder']} dir="ltr">
        <VisibleText text={approval.folder} oneLine />
      </b>{' '}
      <span className={styles['why']}>
        because <VisibleText text={approval.why.replace(/\.$/, '')} oneLine />.
      </span>
    </p>
  );
}

function FactLines({ words }: { words: ApprovalWords }): ReactElement {
  return (
    <>
      {words.dangers.length > 0 && (
        <ul className={styles['dangers']} aria-label="Take care">
          {words.dangers.map((danger) => {
            const Icon = ICONS[danger.kind] ?? FileWarning;
            return (
              <li key={`${danger.kind} ${danger.target}`}>
                <Icon size={15} aria-hidden="true" />
                <span>
                  {danger.words}
                  {danger.target !== '' && (
                    <>
                      : <InlineCode text={danger.target} />
                    </>
                  )}
                </span>
              </li>
            );
          })}
        </ul>
      )}
      {words.facts.length > 0 && (
        <ul className={styles['facts']} aria-label="Facts">
          {words.facts.map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
      )}
    </>
  );
}

function Place({ place, count, onStep }: Pick<ApprovalCardProps, 'place' | 'count' | 'onStep'>): ReactElement | null {
  if (count < 2) return null;
  return (
    <div className={styles['place']}>
      <button type="button" aria-label="Previous approval" disabled={place === 1} onClick={() => onStep(-1)}>
        ‹
      </button>
      <span>
        {place} of {count}
      </span>
      <button type="button" aria-label="Next approval" disabled={place === count} onClick={() => onStep(1)}>
        ›
      </button>
    </div>
  );
}

/** See the file's header. Give it a key of call id and digest, so that a changed one starts anew. */
export function ApprovalCard({ approval, place, count, onAnswer, onStep, ref }: ApprovalCardProps): ReactElement {
  const { card, dispatch, box, end, onComplete } = useCard(approval.digest);
  const [error, setError] = useState<WireError | null>(null);
  const remembers = useApp((app) => app.settings.rememberApprovals);
  const sentenceId = useId();
  const blockedId = useId();
  const words = describeApproval(approval);
  const blocked = whyNotYet(card);
  const sending = card.phase === 'sending';

  const answer = (given: Answer): void => {
    if (sending) return;
    dispatch({ type: 'send' });
    setError(null);
    onAnswer(given).catch((caught: unknown) => {
      setError(wireErrorOf(caught));
      dispatch({ type: 'refused' });
    });
  };
  const allow = (kind: 'allow-once' | 'allow-session' | 'allow-always'): void => {
    if (blocked === null) answer({ answer: kind });
  };
  const back = (): void => {
    dispatch({ type: 'back' });
    // The field that had the focus goes away.
    box.current?.parentElement?.focus({ preventScroll: true });
  };
  const blockedProps = {
    disabled: blocked !== null && !sending,
    'aria-describedby': blocked === null ? undefined : blockedId,
  };

  return (
    <div
      ref={ref}
      role="alertdialog"
      aria-labelledby={sentenceId}
      tabIndex={-1}
      className={classes(styles['card'], words.dangers.length > 0 && styles['danger'])}
      data-call={approval.callId}
    >
      <div ref={box}>
        <header className={styles['head']}>
          <Sentence approval={approval} words={words} id={sentenceId} />
          <Place place={place} count={count} onStep={onStep} />
        </header>
      </div>
      {card.phase === 'editing' ? (
        <CardEditor
          approval={approval}
          sending={sending}
          onAllow={(changedArguments) => answer({ answer: 'allow-once', changedArguments })}
          onBack={back}
        />
      ) : (
        <>
          <div className={styles['bytes']} tabIndex={0} role="region" aria-label="What would happen, in full">
            <CardContent approval={approval} onComplete={onComplete} />
            <div ref={end} className={styles['end']} />
          </div>
          <FactLines words={words} />
          {card.phase === 'denying' ? (
            <CardDenial sending={sending} onDeny={(reason) => answer({ answer: 'deny', reason })} onBack={back} />
          ) : (
            <div className={styles['answers']}>
              <Button kind="primary" busy={sending} {...blockedProps} onClick={() => allow('allow-once')}>
                Allow once
              </Button>
              {approval.grant !== null && (
                <Button
                  {...blockedProps}
                  title={`Covers: ${approval.grant.describes}`}
                  onClick={() => allow('allow-session')}
                >
                  {grantLabel(approval)}
                </Button>
              )}
              {approval.grant !== null && remembers && (
                <Button
                  {...blockedProps}
                  title={`Remembers ${approval.grant.describes}, until you forget it in the settings`}
                  onClick={() => allow('allow-always')}
                >
                  Always in this project
                </Button>
              )}
              <Button disabled={sending} onClick={() => dispatch({ type: 'edit' })}>
                Edit…
              </Button>
              <span className={styles['grow']} />
              <Button kind="danger" disabled={sending} onClick={() => dispatch({ type: 'deny' })}>
                Deny…
              </Button>
            </div>
          )}
          {/* Takes its room always, so that nothing jumps under the hand when the answers become free. */}
          <p id={blockedId} className={styles['blocked']}>
            {card.phase === 'denying' ? '' : (blocked ?? grantNote(approval))}
          </p>
        </>
      )}
      {error !== null && (
        <div className={styles['error']}>
          <ErrorNote>{error.message}</ErrorNote>
        </div>
      )}
    </div>
  );
}
