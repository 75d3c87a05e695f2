/** The page that the receipt of a pull request links to: for maintainers who never heard of AgentPR. */
export const enReceiptPage = {
  receiptPage: {
    title: 'How to read an AgentPR receipt',
    lead: 'A pull request that ends with a folded line “AgentPR receipt” was written by a coding agent, and a person approved exactly what was published before it was opened.',
    saysTitle: 'What it says',
    says: {
      run: 'the name of the work in the installation that opened it; ask its operator about it',
      digest: 'SHA-256 over all that the person was shown',
      policies: 'the rules that judged the change before the person did',
      'approved by': 'the public name of that person, or an alias whom the operator knows',
      'signed with key':
        'the key of the operator that signed repository, base, commit, title and description',
    },
    notTitle: 'What it does not say',
    not: 'That the change is good, that its tests pass, or that the person read all of it. You decide. If you edit title or description, or push to the branch, the receipt says so when it is checked; you may do that.',
    checkTitle: 'How to check it',
    check:
      'You need the address of the pull request, Node, and the keys that the operator publishes, and nothing else of the operator:',
    keys: 'Take the keys from a place of which you know whose it is. A link in a pull request can lead anywhere: a forger would publish keys too.',
    theirs: 'The keys of this installation',
  },
};
