/** Exports traces; trace ids derive from run ids, so that spans of all processes join (O4). */
import type { Span, SpanContext } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { createHttpAgents } from '#network';
import { traitsOf, type EffectKind } from '#effects';
import { repositoryOf, type Run } from '#run';
import { sha256Hex, type EffectHandler, type EffectHandlers, type HandlerOutcome } from '#runtime';
import { isTerminal } from '#model/run';
import { SECOND } from '#model/values';
import type { ClaimedEffect } from '#ports/steps';
import type { LogPort } from '#ports/processes';
import type { WorkConfig } from './config.ts';
import type { ObserveWork } from './observe-work.ts';

export type RunTracing = {
  watch: ObserveWork;
  handlers: (handlers: EffectHandlers) => EffectHandlers;
  written: (run: Run, before: Run | null) => void;
  stop(): Promise<void>;
};

export type TracingParts = Pick<WorkConfig, 'role' | 'proxies'> & {
  traces: NonNullable<WorkConfig['traces']>;
  log: Pick<LogPort, 'info'>;
};

/** Security: contains no text of agents, repositories or people. */
type Told = Record<string, string | number>;
const MAX_ATTRIBUTE_LENGTH = 200;
const EXPORT_TIMEOUT_MS = 3 * SECOND;
/** Longest wait on stop; later spans are dropped (ms). */
const FINAL_EXPORT_TIMEOUT_MS = 2 * SECOND;
const MAX_QUEUED_SPANS = 2_048;
const FLAGS_SAMPLED = 1;

const idsOf = (runId: string): Pick<SpanContext, 'traceId' | 'spanId'> => {
  const hex = sha256Hex(`trace of ${runId}`).replace(/^sha256:/, '');
  return { traceId: hex.slice(0, 32), spanId: hex.slice(32, 48) };
};

export const createTracing = async (parts: TracingParts): Promise<RunTracing> => {
  const [{ ROOT_CONTEXT, SpanStatusCode, trace }, sdk, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-proto'),
    import('@opentelemetry/resources'),
  ]);
  const { url, headers } = parts.traces;
  const late = new AbortController();
  const agents = createHttpAgents(parts.proxies);
  const exporter = new OTLPTraceExporter({
    url,
    headers,
    timeoutMillis: EXPORT_TIMEOUT_MS,
    httpAgentOptions: () => agents.to(new URL(url)),
  });
  const random = new sdk.RandomIdGenerator();
  /** Ids of the next span; set only for a run's root span. */
  let given: ReturnType<typeof idsOf> | null = null;
  const provider = new sdk.TracerProvider({
    // The operator's OTEL_RESOURCE_ATTRIBUTES take precedence.
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes({ 'service.name': 'agentpr', 'agentpr.role': parts.role }))
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE_LENGTH },
    idGenerator: {
      generateTraceId: () => given?.traceId ?? random.generateTraceId(),
      generateSpanId: () => given?.spanId ?? random.generateSpanId(),
    },
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: createReportingExporter(exporter, parts.log, late.signal),
        maxQueueSize: MAX_QUEUED_SPANS,
      }),
    ],
  });
  const tracer = provider.getTracer('agentpr');
  const contextWithin = (parent: SpanContext) => trace.setSpanContext(ROOT_CONTEXT, parent);
  const ofRun = (runId: string): SpanContext => ({
    ...idsOf(runId),
    traceFlags: FLAGS_SAMPLED,
    isRemote: true,
  });
  const endSpan = (span: Span, outcome: string, { failed }: { failed: boolean }): void => {
    span.setAttribute('agentpr.outcome', outcome);
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  };
  /** One entry per run suffices, because a run's work is serial. */
  const working = new Map<string, SpanContext>();

  const traceEffect =
    (kind: EffectKind, handler: EffectHandler): EffectHandler =>
    async (claim, signal) => {
      const { runId } = claim;
      if (runId === null) return handler(claim, signal);
      const span = tracer.startSpan(
        kind,
        { attributes: claimAttributes(claim, runId) },
        contextWithin(ofRun(runId)),
      );
      const heavy = traitsOf(kind).pool === 'heavy';
      if (heavy) working.set(runId, span.spanContext());
      try {
        const outcome = await handler(claim, signal);
        const said = outcomeOf(outcome);
        // Unchanged polls and timers are not exported.
        if (kind === 'chat_message' || said.result || !isQuiet(kind))
          endSpan(span, said.outcome, { failed: said.failed });
        return outcome;
      } catch (error) {
        endSpan(span, error instanceof Error ? error.name : 'threw', { failed: true });
        throw error;
      } finally {
        if (heavy && working.get(runId) === span.spanContext()) working.delete(runId);
      }
    };

  return {
    watch: ({ runId, step, engine }) => {
      const parent = working.get(runId) ?? ofRun(runId);
      const attributes: Told = { 'agentpr.run': runId, ...(engine ? { 'agentpr.engine': engine } : {}) };
      const span = tracer.startSpan(step, { attributes }, contextWithin(parent));
      return (outcome) => endSpan(span, outcome, { failed: outcome !== 'passed' && outcome !== 'completed' });
    },
    handlers: (handlers) =>
      Object.fromEntries(
        (Object.keys(handlers) as EffectKind[]).map((kind) => [
          kind,
          traceEffect(kind, handlers[kind] as EffectHandler),
        ]),
      ) as unknown as EffectHandlers,
    written: (run, before) => {
      if (before === null || before.lifecycle.state === run.lifecycle.state) return;
      const {
        lifecycle: { state, stateEnteredAt: since },
      } = before;
      const attributes: Told = { 'agentpr.run': run.id, 'agentpr.next': run.lifecycle.state };
      tracer
        .startSpan(`state ${state}`, { attributes, startTime: since }, contextWithin(ofRun(run.id)))
        .end(run.lifecycle.stateEnteredAt);
      if (!isTerminal(run.lifecycle.state)) return;
      given = idsOf(run.id);
      const whole = tracer.startSpan('run', {
        root: true,
        startTime: run.lifecycle.createdAt,
        attributes: runAttributes(run),
      });
      given = null;
      whole.end(run.lifecycle.stateEnteredAt);
    },
    stop: async () => {
      const alarm = setTimeout(() => late.abort(), FINAL_EXPORT_TIMEOUT_MS);
      const dropped = new Promise((resolve) => late.signal.addEventListener('abort', resolve));
      await Promise.race([provider.shutdown().catch(() => {}), dropped]);
      clearTimeout(alarm);
    },
  };
};

const isQuiet = (kind: EffectKind): boolean => ['polls', 'quick'].includes(traitsOf(kind).pool);

const claimAttributes = ({ n, epoch, leaseEpoch }: ClaimedEffect, runId: string): Told => ({
  'agentpr.run': runId,
  'agentpr.effect': n,
  'agentpr.try': leaseEpoch,
  ...(epoch === null ? {} : { 'agentpr.epoch': epoch }),
});

const runAttributes = (run: Run): Told => ({
  'agentpr.run': run.id,
  'agentpr.repository': repositoryOf(run),
  'agentpr.engine': run.order.engine,
  'agentpr.outcome': run.lifecycle.state,
  'agentpr.iterations': run.lifecycle.counts.iterations,
  ...(run.upstream.pullRequest ? { 'agentpr.pull_request': run.upstream.pullRequest.url } : {}),
});

const outcomeOf = (outcome: HandlerOutcome): { outcome: string; failed: boolean; result: boolean } => {
  if (outcome.kind !== 'result')
    return { outcome: outcome.kind, failed: outcome.kind === 'dead', result: false };
  const { input } = outcome;
  return input.type === 'worker.step.failed'
    ? { outcome: input.class, failed: true, result: true }
    : { outcome: input.type, failed: false, result: true };
};

/** Reports an outage of the receiver once, and its end. */
const createReportingExporter = (
  exporter: SpanExporter,
  log: Pick<LogPort, 'info'>,
  late: AbortSignal,
): SpanExporter => {
  let away = false;
  return {
    export: (spans: ReadableSpan[], done) => {
      if (late.aborted) return done({ code: EXPORT_FAILED_CODE });
      exporter.export(spans, (result) => {
        const failed = result.error !== undefined;
        if (failed !== away)
          log.info({ spans: spans.length }, failed ? 'traces cannot be sent now' : 'traces are sent again');
        away = failed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
};
/** `ExportResultCode.FAILED` of @opentelemetry/core. */
const EXPORT_FAILED_CODE = 1;
