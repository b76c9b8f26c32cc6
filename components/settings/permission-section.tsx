'use client';

import { useSettings, useStudio, useThreads, useTools } from '#components/hooks/studio-provider.tsx';
import { useMessages } from '#components/i18n/i18n.tsx';
import { toolsetName } from '#components/i18n/toolset-name.ts';
import { useSettingsTexts } from '#components/i18n/use-settings-texts.ts';
import { Button } from '#components/ui/button.tsx';
import { Row, Section } from '#components/ui/section.tsx';
import { Select } from '#components/ui/select.tsx';
import { grantedHost, grantedTool, grantName, grantTime, type Thread } from '#lib/threads/thread.ts';
import type { ToolEffect, ToolSpec } from '#lib/tools/core/spec.ts';
import { isGranted, policyFor } from '#lib/tools/permission/permission.ts';
import { type PermissionPolicy, policiesFor } from '#lib/tools/permission/policy.ts';
import { isShownToolset, sourceOf } from '#lib/tools/toolset-names.ts';
import { ANSWER_IMAGES } from '#studio/answer-image-hosts.ts';
import { policySource, type Settings, withPolicy } from '#studio/settings.ts';
import { grantedToolName } from './granted-tool-name.ts';
import { NetworkActivity } from './network-activity.tsx';
import { PathRules } from './path-rules.tsx';

type Kind = Pick<ToolSpec, 'toolset' | 'effect'>;

/** The kinds of calls that tools make, each once: a toolset and an effect. */
function toolKinds(tools: readonly Kind[]): Kind[] {
  const kinds = new Map<string, Kind>();
  for (const { toolset, effect } of tools) kinds.set(`${toolset}:${effect}`, { toolset, effect });
  return [...kinds.values()];
}

/**
 * Lets the person choose which kinds of tools may run without asking, edit the path rules, revoke grants (which let single
 * tools run in a thread without asking), and see the recorded network requests.
 */
export function PermissionSection() {
  const t = useMessages();
  const texts = useSettingsTexts();
  const { settings } = useStudio();
  const tools = useTools();
  const permissions = useSettings((state) => state.permissions);
  const kindName = ({ toolset, effect }: Kind) => {
    const own = toolset === 'web' ? texts.sendRequests : texts.effectNames[effect];
    const isCall = effect === 'execute' && sourceOf(toolset) !== undefined;
    return texts.permissionLabel(toolsetName(toolset, t), isCall ? texts.callTools : own);
  };
  return (
    <Section title={texts.permissions} help={texts.permissionsHelp}>
      {toolKinds(tools.list().filter(({ toolset }) => isShownToolset(toolset))).map((kind) => (
        <Row key={kindName(kind)} label={kindName(kind)}>
          <Select
            label={kindName(kind)}
            value={policyFor(permissions, kind.toolset, kind.effect)}
            options={policiesFor(kind.effect).map((value) => ({ value, label: texts.policies[value] }))}
            onValueChange={(value) =>
              void settings.change(withPolicy(settings.getState(), kind, value as PermissionPolicy))
            }
          />
        </Row>
      ))}
      <PathRules />
      <Grants kindName={kindName} />
      <NetworkActivity />
    </Section>
  );
}

interface Grant {
  key: string;
  text: string;
  /** The time of the grant, in milliseconds since the epoch; undefined if an earlier version did not store it. */
  at: number | undefined;
  revoke(): void;
}

function Grants({ kindName }: { kindName(kind: Kind): string }) {
  const t = useMessages();
  const texts = useSettingsTexts();
  const grants = useGrants(kindName);
  return (
    <div>
      <h4 className="font-medium text-sm">{texts.grants}</h4>
      {grants.length === 0 ? (
        <p className="text-muted text-sm">{texts.noGrants}</p>
      ) : (
        <ul aria-label={texts.grants} className="max-h-60 overflow-y-auto">
          {grants.map(({ key, text, at, revoke }) => (
            <li key={key} className="flex items-center gap-2 py-1 text-sm">
              <span className="min-w-0 flex-1 break-words">
                {text}
                {at === undefined ? null : ` ${texts.grantTime(new Date(at).toLocaleString(t.locale))}`}
              </span>
              <Button aria-label={texts.revokeLabel(text)} onClick={revoke}>
                {texts.revoke}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Returns everything that the person has allowed to happen without asking, newest first. */
function useGrants(kindName: (kind: Kind) => string): Grant[] {
  const t = useMessages();
  const texts = useSettingsTexts();
  const tools = useTools();
  const { settings, threads: threadList } = useStudio();
  const state = useSettings((all) => all);
  const threads = useThreads(({ threads: list }) => list);
  // Including permissions of servers that are off, which can be turned on again.
  const kinds = Object.entries(state.permissions).flatMap(([toolset, policies]) =>
    Object.entries(policies).flatMap(([effect, policy]): Kind[] =>
      policy === 'allow' ? [{ toolset, effect: effect as ToolEffect }] : [],
    ),
  );
  const everywhere = kinds.map((kind): Grant => {
    const source = policySource(state, kind);
    return {
      key: `${kind.toolset}:${kind.effect}`,
      text:
        source?.call === undefined
          ? texts.grantAlwaysHere(kindName(kind))
          : texts.grantAlways(kindName(kind), source.call.toolName, source.call.threadTitle),
      at: source?.at,
      revoke: () => void settings.change(withPolicy(settings.getState(), kind, 'ask')),
    };
  });
  const hosts = state.allowedHosts
    .filter(({ toolset, at }) => isGranted({ grantedAt: at, policySetAt: hostPolicySetAt(state, toolset) }))
    .map(
      ({ toolset, host, at }): Grant => ({
        key: `host ${toolset} ${host}`,
        text: toolset === ANSWER_IMAGES ? texts.grantImages(host) : texts.grantHost(host),
        at,
        revoke: () => {
          const { allowedHosts } = settings.getState();
          const left = allowedHosts.filter((known) => known.toolset !== toolset || known.host !== host);
          void settings.change({ allowedHosts: left });
        },
      }),
    );
  const textOfThreadGrant = (name: string, title: string) => {
    const reached = grantedHost(name);
    if (reached === undefined) return texts.grantThread(grantedToolName(name, t), title);
    const isOfImages = reached.toolset === ANSWER_IMAGES;
    return isOfImages ? texts.grantImagesThread(reached.host, title) : texts.grantHostThread(reached.host, title);
  };
  const inThreads = threads.flatMap((thread) =>
    thread.grants.flatMap((name): Grant[] => {
      const reached = grantedHost(name);
      const tool = tools
        .list()
        .find((one) => (reached === undefined ? grantName(one) === name : one.toolset === reached.toolset));
      const granted = reached ?? grantedTool(name);
      // A tool that is not there now, for example because its server is off, can come back.
      const kind = tool ?? { toolset: granted.toolset ?? '', effect: 'execute' as const };
      const grantedAt = grantTime(thread, name);
      if (!isGranted({ grantedAt, policySetAt: policySource(state, kind)?.at })) return [];
      return [
        {
          key: `${thread.id} ${name}`,
          text: textOfThreadGrant(name, thread.title || t.threads.untitled),
          at: grantedAt || undefined,
          revoke: () => void threadList.update(thread.id, (stored) => withoutGrant(stored, name)),
        },
      ];
    }),
  );
  return [...everywhere, ...hosts, ...inThreads].sort((one, other) => (other.at ?? 0) - (one.at ?? 0));
}

/** The time of the policy for tools that reach hosts, which is the one for running code; undefined if none is stored. */
const hostPolicySetAt = (settings: Settings, toolset: string): number | undefined =>
  policySource(settings, { toolset, effect: 'execute' })?.at;

function withoutGrant({ grants, grantedAt }: Thread, tool: string): Pick<Thread, 'grants' | 'grantedAt'> {
  return {
    grants: grants.filter((name) => name !== tool),
    grantedAt: Object.fromEntries(Object.entries(grantedAt).filter(([name]) => name !== tool)),
  };
}
