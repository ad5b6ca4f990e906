"""Moore and Hodgson's rule over arrivals: which jobs one machine can end in time, where those that
cannot all be kept lose their longest (J. M. Moore, Management Science 15, 1968). Jobs come over
time, so the rule is applied anew at each arrival to what waits; a running job is not stopped."""
import collections

Job = collections.namedtuple("Job", "number arrival deadline cost pixels")

def kept(waiting, now):
    """Of jobs in the order of their deadlines those that all end in time."""
    kept, end = [], now
    for job in waiting:
        kept.append(job)
        end += job.cost
        while kept and end > job.deadline:
            longest = max(kept, key=lambda job: job.cost)
            kept.remove(longest)
            end -= longest.cost
    return kept

def moore_hodgson(jobs):
    """The numbers of the jobs that end in time."""
    coming = collections.deque(sorted(jobs, key=lambda job: job.arrival))
    waiting, done, now = [], [], 0.0
    while coming or waiting:
        if not waiting:
            now = max(now, coming[0].arrival)
        while coming and coming[0].arrival <= now:
            waiting.append(coming.popleft())
        waiting = kept(sorted(waiting, key=lambda job: job.deadline), now)
        if waiting:
            job = waiting.pop(0)
            now += job.cost
            done.append(job.number)
    return done

def all_at_once(jobs):
    """The same where every job is known from the start: no schedule ends more of them in time."""
    return [job.number for job in kept(sorted(jobs, key=lambda job: job.deadline), 0.0)]
