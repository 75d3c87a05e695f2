/** A person and a maintainer who bring a change from order to merge by what they see. */
import { sampleCi, sampleDirectory, sampleGoal, sampleReview, type RepoHandle } from '#playground';
import { createPersistentPerson } from './persistent-person.ts';
import { PATIENCE, type Product } from './product.ts';

/** Requests one change in words, and merges when it is made. */
export const carry = async (
  product: Product,
  repo: RepoHandle,
  wish: string,
  deadlineMs = 2 * PATIENCE,
): Promise<void> => {
  const person = createPersistentPerson(product.ana);
  let reviewed: string | null = null;
  const merging: Promise<unknown>[] = [];

  const maintain = (): void => {
    const run = product.run(repo.fullName);
    const [pull] = repo.pulls;
    if (
      run?.lifecycle.state !== 'REVIEW_WAIT' ||
      !pull ||
      run.change.pushedHead?.sha !== pull.headSha ||
      merging.length > 0
    )
      return;
    if (reviewed === null) {
      reviewed = pull.headSha;
      repo.review(pull.number, { state: 'CHANGES_REQUESTED', body: wish });
    } else if (reviewed !== pull.headSha) {
      repo.review(pull.number, { state: 'APPROVED' });
      merging.push(repo.merge(pull.number));
    }
  };

  await product.waitFor(
    () => {
      person.look();
      maintain();
      return product.run(repo.fullName)?.lifecycle.state === 'DONE';
    },
    { deadlineMs, what: 'the run to be DONE' },
  );
  await Promise.all(merging);
};

/** Call it before the product starts. */
export const carrySample = async (product: Product): Promise<RepoHandle> => {
  const sample = { owner: 'acme', name: 'patient', from: sampleDirectory(), ci: sampleCi };
  const repo = await product.github.addRepo(sample);
  product.start();
  product.ana.sends(`/new ${repo.fullName} ${sampleGoal}`);
  await carry(product, repo, sampleReview);
  return repo;
};
